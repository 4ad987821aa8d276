import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

/// What a stack can do that a ``NavigationScreenContainer`` never does, but a navigation controller of UIKit.
@MainActor
@Suite("PathFollower: stacks that other code changes", .timeLimit(.minutes(5)), .endsWaits)
struct PathFollowerTests {
  private let model = NavigationModel<TestRoute>()
  private let stack = TestStack()

  @Test("a path that changes during a transition that the follower did not begin is shown after it")
  func foreignTransition() async throws {
    let follower = follow()
    stack.canMove = false
    model.push(.cart)
    try await until { !stack.waiting.isEmpty }
    #expect(stack.names == ["root"])
    stack.endTransition()
    #expect(stack.names == ["root", "cart"])
    withExtendedLifetime(follower) {}
  }

  @Test("a stack without a root shows nothing until it has a root")
  func noRoot() async throws {
    let follower = follow()
    stack.screens = []
    model.push(.cart)
    for _ in 0..<10 { await Task.yield() }
    #expect(stack.names == [])
    stack.screens = [TestStack.Screen("new")]
    follower.stackChanged(stack)
    #expect(stack.names == ["new", "cart"])
  }

  @Test("a screen of the path that other code has made the root stays, and has no route any more")
  func newRoot() async throws {
    model.push(.products)
    let follower = follow()
    stack.screens.removeFirst()
    model.update { $0.front.popToRoot() }
    model.push(.cart)
    try await until { stack.names == ["products", "cart"] }
    #expect(stack.made == ["products", "cart"], "each screen is made once")
    withExtendedLifetime(follower) {}
  }

  @Test("a screen that other code has moved below another one loses its route")
  func reordered() {
    model.push(.products)
    model.push(.cart)
    let follower = follow()
    stack.screens.swapAt(1, 2)
    follower.stackChanged(stack)
    #expect(model.tree.front.routes == [.products])
  }

  @Test("a stack that refuses a change keeps its screens")
  func refusal() async throws {
    let follower = follow()
    stack.refuses = true
    model.push(.cart)
    try await until { stack.refusals > 0 }
    #expect(stack.names == ["root"])
    withExtendedLifetime(follower) {}
  }

  private func follow() -> PathFollower<TestRoute, TestStack> {
    let follower = PathFollower<TestRoute, TestStack>(model) { [stack] in stack.makeScreen("\($0.route)") }
    follower.follow(on: stack, animated: false)
    return follower
  }
}

@MainActor
private final class TestStack: PathStack {
  final class Screen {
    let name: String
    init(_ name: String) { self.name = name }
  }

  var screens = [Screen("root")]
  /// The names of the screens that were made.
  private(set) var made: [String] = []
  var canMove = true
  var refuses = false
  private(set) var refusals = 0
  private(set) var waiting: [@MainActor () -> Void] = []

  var names: [String] { screens.map(\.name) }

  func makeScreen(_ name: String) -> Screen {
    made.append(name)
    return Screen(name)
  }

  func afterTransition(_ action: @escaping @MainActor () -> Void) { waiting.append(action) }

  func endTransition() {
    canMove = true
    for action in waiting { action() }
    waiting = []
  }

  func replaceScreens(
    above screen: Screen, with newScreens: [Screen], animated: Bool
  ) throws(ScreenHostError) -> [Screen] {
    guard !refuses else {
      refusals += 1
      throw .transitionInProgress
    }
    guard let index = screens.firstIndex(where: { $0 === screen }) else { throw .unknownScreen }
    let removed = Array(screens[(index + 1)...].reversed())
    screens.replaceSubrange((index + 1)..., with: newScreens)
    return removed
  }
}
