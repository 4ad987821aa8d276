import AsyncViewModelsTesting
import Foundation
import Testing
import ToolkitTestSupport

@testable import AsyncViewModelsUI

@MainActor
@Suite("NavigationScreenContainer: path", .timeLimit(.minutes(5)), .endsWaits)
struct NavigationScreenContainerPathTests {
  @Test("a stack shows the path that it begins to follow at once, and only its top screen appears")
  func firstPath() async throws {
    try await withFollower(of: [.products, .product(7)], shown: false) { follower in
      #expect(follower.names == ["root", "products", "product(7)"])
      #expect(follower.log.take() == [])
      try follower.window.show()
      let log = follower.log.take()
      #expect(log.filter { $0.contains("didLoad") } == ["product(7).didLoad"])
      #expect(log.suffix(2) == ["product(7).willAppear", "product(7).didAppear"])
    }
  }

  @Test("a new path is shown in one animated transition, and screens of the same routes stay")
  func newPath() async throws {
    try await withFollower(of: [.products, .product(7)]) { follower in
      let kept = follower.stack.screens[1]
      follower.model.update { $0.front = RoutePath([.products, .cart, .profile]) }
      try await follower.waitForNames(["root", "products", "cart", "profile"])
      #expect(follower.stack.screens[1] === kept)
      #expect(
        follower.log.take() == [
          "product(7).willMove(nil)", "cart.willMove", "profile.willMove", "profile.didLoad",
          "product(7).willDisappear animated", "profile.willAppear animated",
          "product(7).didDisappear animated", "profile.didAppear animated", "product(7).didMove(nil)",
          "cart.didMove", "profile.didMove",
        ])
    }
  }

  @Test("without animation, a new path is shown without animation")
  func notAnimated() async throws {
    try await withFollower(animated: false) { follower in
      follower.model.push(.cart)
      try await follower.waitForNames(["root", "cart"])
      #expect(!follower.log.take().contains { $0.contains("animated") })
    }
  }

  @Test("a stack shows the path of the base, also below a modal")
  func belowAModal() async throws {
    try await withFollower(of: [.products]) { follower in
      follower.model.update {
        $0.present(.orders)
        $0.front.push(.profile)
      }
      follower.model.update { $0.dismiss() }
      follower.model.push(.cart)
      try await follower.waitForNames(["root", "products", "cart"])
      #expect(!follower.log.take().contains { $0.hasPrefix("profile") })
      follower.model.update { $0.present(.orders) }
      try follower.stack.pop()
      #expect(follower.model.tree.baseFront.routes == [.products])
      #expect(follower.model.tree.modals.count == 1)
    }
  }

  @Test("a screen is released when its route leaves the path")
  func release() async throws {
    try await withFollower(of: [.products, .cart, .cart]) { follower in
      try follower.model.update { try $0.front.pop() }
      try await follower.waitForNames(["root", "products", "cart"])
      try await until { follower.tracker.survivors.filter { $0 == "cart" }.count == 1 }
      follower.model.update { $0.front.popToRoot() }
      try await follower.waitForNames(["root"])
      try await until { !follower.tracker.survivors.contains("products") }
    }
  }

  @Test("a pop removes its routes from the path before it returns")
  func pop() async throws {
    try await withFollower(of: [.products, .product(7), .product(7)]) { follower in
      try follower.stack.pop()
      #expect(follower.model.tree.front.routes == [.products, .product(7)])
      try follower.stack.popToRoot()
      #expect(follower.model.tree.front.routes.isEmpty)
      #expect(follower.names == ["root"])
    }
  }

  @Test("a route that is pushed again after its screen was popped is shown again")
  func pushAfterPop() async throws {
    try await withFollower(of: [.products, .cart]) { follower in
      try await follower.letPathsArrive()
      try follower.stack.pop()
      follower.model.push(.cart)
      try await follower.waitForNames(["root", "products", "cart"])
    }
  }

  @Test("a pop while the stack does not show the newest path yet is discarded")
  func popOfAnOldPath() async throws {
    try await withFollower(of: [.products]) { follower in
      follower.model.push(.cart)
      try follower.stack.pop()
      #expect(follower.model.tree.front.routes == [.products, .cart])
      #expect(follower.names == ["root", "products", "cart"])
    }
  }

  @Test("a route that code removes and adds again before the stack shows it gets a new screen")
  func removedAndAdded() async throws {
    try await withFollower(of: [.products, .cart]) { follower in
      let (products, cart) = (follower.stack.screens[1], follower.stack.screens[2])
      try follower.model.update { try $0.front.pop() }
      follower.model.push(.cart)
      try await until { follower.stack.screens.count == 3 && follower.stack.screens[2] !== cart }
      #expect(follower.names == ["root", "products", "cart"])
      #expect(follower.stack.screens[1] === products)
    }
  }

  @Test("a pop to the root removes the routes that code has left of the path")
  func popOfAShorterPath() async throws {
    try await withFollower(of: [.products, .product(7), .cart]) { follower in
      try follower.model.update { try $0.front.pop() }
      try follower.stack.popToRoot()
      #expect(follower.model.tree.front.routes == [])
      #expect(follower.names == ["root"])
    }
  }

  @Test("a pop compares no routes, whose comparison could change the path")
  func routesThatUseTheModel() async throws {
    try await withScreens { screens in
      let comparisons = Tally()
      let model = NavigationModel<ComparedKey>(
        NavigationTree(root: ComparedKey(name: "root")),
        links: DeepLinkParser(scheme: "test", host: "app") { _, _ in })
      model.push(ComparedKey(name: "list", whenCompared: { comparisons.increment() }))
      model.push(ComparedKey(name: "item"))
      let stack = screens.track(NavigationScreenContainer(root: screens.host("root")))
      stack.follow(model) { route in screens.track(RecordingScreen(route.name, in: screens.log)) }
      let before = comparisons.count
      try stack.pop()
      #expect(comparisons.count == before)
      #expect(model.tree.front.routes.map(\.name) == ["list"])
    }
  }

  @Test("a screen without a route stays until it is popped or a screen below it is removed")
  func screenWithoutRoute() async throws {
    try await withFollower(of: [.products]) { follower in
      let model = follower.model
      try follower.stack.push(follower.screens.host("legacy"))
      #expect(model.tree.front.routes == [.products])
      model.push(.cart)
      try await follower.waitForNames(["root", "products", "legacy", "cart"])
      try follower.stack.replaceScreens(above: follower.stack.screens[2], with: [])
      #expect(model.tree.front.routes == [.products])
      try follower.stack.pop()
      #expect(model.tree.front.routes == [.products])

      try follower.stack.push(follower.screens.host("legacy"))
      model.update { $0.front = RoutePath([.orders]) }
      try await follower.waitForNames(["root", "orders"])
    }
  }

  @Test("a screen may change the path in any hook, and the stack shows the last path")
  func changesInHooks() async throws {
    for hook in ["willMove", "didLoad", "willAppear", "didAppear", "didMove"] {
      try await withFollower { follower in
        follower.onHook = { [model = follower.model] screen, called in
          if screen == "cart", called == hook { model.update { $0.front = RoutePath([.cart, .profile]) } }
        }
        follower.model.push(.cart)
        try await follower.waitForNames(["root", "cart", "profile"])
        #expect(follower.stack.screens.allSatisfy { $0.containment == .contained })
        #expect(follower.stack.top.phase == .visible)
      }
    }
  }

  @Test("a screen may pop itself in its didAppear, and its route leaves the path")
  func popInHook() async throws {
    try await withFollower { follower in
      follower.onHook = { [weak stack = follower.stack] screen, hook in
        if screen == "cart", hook == "didAppear" { _ = try? stack?.pop() }
      }
      follower.model.update { $0.front = RoutePath([.products, .cart]) }
      try await until { follower.model.tree.front.routes == [.products] }
      #expect(follower.names == ["root", "products"])
      #expect(follower.stack.top.phase == .visible)
    }
  }

  @Test("if the creation of a screen pops the stack, the screens are created again for the new path")
  func popWhileCreating() async throws {
    try await withFollower(of: [.products, .product(7)]) { follower in
      follower.onCreation = { [weak stack = follower.stack] route in
        if route == .cart, stack?.screens.count == 3 { _ = try? stack?.pop() }
      }
      follower.model.push(.cart)
      try await follower.waitForNames(["root", "products", "product(7)", "cart"])
      #expect(follower.model.tree.front.routes == [.products, .product(7), .cart])
    }
  }

  @Test("a stack that has ended no longer follows the path")
  func end() async throws {
    try await withFollower(of: [.products]) { follower in
      try follower.window.hide()
      try follower.window.end()
      follower.model.push(.cart)
      try await follower.letPathsArrive()
      #expect(follower.names == ["root", "products"])
    }
  }

  @Test("a released stack ends its observer, and the model stays usable")
  func lifetime() async throws {
    let model = NavigationModel<TestRoute>()
    try await LiveObjects.scoped { liveObjects in
      try await withFollower(model) { follower in follower.model.push(.cart) }
      if LiveObjects.areCounted { try await liveObjects.assertNothingLives() }
    }
    model.push(.orders)
    #expect(model.tree.front.routes == [.cart, .orders])
  }

  @Test("two stacks can follow the same path, and a pop in one of them pops the other")
  func twoStacks() async throws {
    let model = NavigationModel<TestRoute>([.products, .cart])
    try await withFollower(model) { first in
      try await withFollower(model) { second in
        try first.stack.pop()
        try await second.waitForNames(["root", "products"])
      }
    }
  }

  @Test("after random changes of the path and the stack, the stack shows the path", arguments: 0..<10)
  func randomWalk(seed: UInt64) async throws {
    try await withFollower { follower in
      var numbers = SplitMix64(seed: seed)
      let routes: [TestRoute] = [.products, .product(1), .product(2), .cart]
      for _ in 0..<300 {
        do {
          switch Int.random(in: 0..<6, using: &numbers) {
          case 0...1: follower.model.push(routes.randomElement(using: &numbers)!)
          case 2: try follower.model.update { try $0.front.pop() }
          case 3: try follower.stack.pop()
          case 4:
            let count = Int.random(in: 0...3, using: &numbers)
            let path = RoutePath((0..<count).map { _ in routes.randomElement(using: &numbers)! })
            follower.model.update { $0.front = path }
          default: await Task.yield()
          }
        } catch {
          // The action was rejected. The check below shows whether the state is still consistent.
        }
      }
      try await until { follower.names == ["root"] + follower.model.tree.front.routes.map { "\($0)" } }
      #expect(follower.stack.screens.allSatisfy { $0.containment == .contained })
      #expect(follower.stack.top.phase == .visible)
    }
  }

  #if os(macOS) || os(Linux)
    @Test("a stack follows one path")
    func secondPath() async throws {
      await #expect(processExitsWith: .failure) {
        await MainActor.run {
          let stack = NavigationScreenContainer(root: RecordingScreen("root", in: HookLog()))
          let model = NavigationModel<TestRoute>()
          stack.follow(model) { _ in RecordingScreen("screen", in: HookLog()) }
          stack.follow(model) { _ in RecordingScreen("screen", in: HookLog()) }
        }
      }
    }
  #endif
}

/// A stack that follows a path with recording screens.
@MainActor
private final class Follower {
  let model: NavigationModel<TestRoute>
  let screens: ScreenSet
  let stack: NavigationScreenContainer
  let window: ScreenHost
  /// Runs before the screen of a route is created.
  var onCreation: (@MainActor (TestRoute) -> Void)?
  /// Runs after a hook of a screen, with the names of the screen and the hook.
  var onHook: (@MainActor (String, String) -> Void)?

  init(_ model: NavigationModel<TestRoute>, _ screens: ScreenSet, animated: Bool) {
    self.model = model
    self.screens = screens
    stack = screens.track(NavigationScreenContainer(root: screens.host("root")))
    window = screens.tracker.track(ScreenHost(stack), "window")
    stack.follow(model, animated: animated) { [weak self] route in
      self?.onCreation?(route)
      let name = "\(route)"
      let screen = screens.tracker.track(RecordingScreen(name, in: screens.log), name)
      screen.onHook = { [weak self] hook in self?.onHook?(name, hook) }
      return screen
    }
  }

  var log: HookLog { screens.log }
  var tracker: LeakTracker { screens.tracker }
  var names: [String] { stack.screens.map(\.recording.name) }

  func waitForNames(_ wanted: [String]) async throws { try await until { names == wanted } }

  /// Waits until another observer, which was registered after the stack, has seen the newest path.
  func letPathsArrive() async throws {
    try await StateRecorder(model.trees()).first { $0 == model.tree }
    for _ in 0..<20 { await Task.yield() }
  }
}

/// Runs a test with a stack that follows a path, and checks that nothing of it outlives the test.
@MainActor
private func withFollower(
  _ model: NavigationModel<TestRoute> = NavigationModel(), of routes: [TestRoute] = [],
  animated: Bool = true, shown: Bool = true, body: @MainActor (Follower) async throws -> Void
) async throws {
  if !routes.isEmpty { model.update { $0.front = RoutePath(routes) } }
  try await withScreens { screens in
    let follower = screens.track(Follower(model, screens, animated: animated))
    if shown {
      try follower.window.show()
      _ = screens.log.take()
    }
    try await body(follower)
    follower.onHook = nil
  }
}
