import AsyncViewModelsTesting
import Observation
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

/// What a control of SwiftUI shows and writes.
@Suite("Presented routes", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct PresentedRoutesTests {
  private let navigation = NavigationModel<TestRoute>([.products, .product(7)])

  /// The screens that exist.
  private let screens = Screens()

  private final class Screens {
    final class Screen {}
    var all: [Screen] = []

    func make() -> Screen {
      let screen = Screen()
      all.append(screen)
      return screen
    }
  }

  private func present() -> PresentedRoutes<NavigationState<TestRoute>, TestRoute> {
    let path = PresentedRoutes(navigation)
    for route in path.current { path.appear(route, screens.make()) }
    return path
  }

  @Test("a pop and a push by the user change the path")
  func pushAndPop() {
    let path = present()
    path.current.append(.cart)
    path.appear(.cart, screens.make())
    #expect(navigation.tree.front.routes == [.products, .product(7), .cart])
    path.current.removeLast(2)
    #expect(navigation.tree.front.routes == [.products])
    path.current = []
    #expect(navigation.tree.front.routes.isEmpty)
  }

  @Test("the control shows and changes the path of the base, also below a modal")
  func belowAModal() {
    navigation.update { $0.present(.stack(.orders, path: RoutePath([.cart]))) }
    let path = present()
    #expect(path.current == [.products, .product(7)])
    path.current.removeLast()
    #expect(navigation.tree.baseFront.routes == [.products])
    #expect(navigation.tree.front.routes == [.cart])
  }

  @Test(
    "a pop of a path that has changed does not undo the change, also if the control has read the new path",
    arguments: [
      [.cart], [.cart, .orders], [.products, .cart], [.products, .product(7), .cart],
      [.products, .product(8)],
    ] as [[TestRoute]])
  func stalePop(link: [TestRoute]) {
    for isRead in [true, false] {
      navigation.update { $0.front = RoutePath([.products, .product(7)]) }
      let path = present()
      navigation.update { $0.front = RoutePath(link) }
      if isRead { #expect(path.current == link) }
      path.current = [.products]
      #expect(navigation.tree.front.routes == link)
    }
  }

  @Test("a screen that existed earlier does not count")
  func earlierScreen() {
    let path = present()
    navigation.push(.cart)
    path.appear(.cart, screens.make())
    path.current.removeLast()
    screens.all.removeLast()
    navigation.push(.cart)
    path.current = [.products]
    #expect(navigation.tree.front.routes == [.products, .product(7), .cart])
  }

  @Test("a write without effect notifies the control, too")
  func notificationOfRefusal() async throws {
    let path = present()
    navigation.push(.cart)
    _ = path.current
    try await until { navigation.store.observerCount == 1 }
    let changes = Tally()
    withObservationTracking {
      _ = path.current
    } onChange: {
      changes.increment()
    }
    path.current = [.products]
    #expect(changes.count == 1)
    #expect(path.current == [.products, .product(7), .cart])
  }

  @Test("after the model has removed screens, the user can pop the next one")
  func popAfterModel() throws {
    let path = present()
    try navigation.update { try $0.front.pop() }
    path.current = []
    #expect(navigation.tree.front.routes.isEmpty)
  }

  @Test("a pop by the user and by the model at the same time removes the screen once")
  func samePop() throws {
    let path = present()
    let rest = Array(path.current.dropLast())
    try navigation.update { try $0.front.pop() }
    path.current = rest
    #expect(navigation.tree.front.routes == [.products])
  }

  @Test("a swipe that ends after code has popped further is no push of the screens that it has left")
  func popFurther() throws {
    navigation.push(.cart)
    let path = present()
    let rest = Array(path.current.dropLast())
    navigation.update { $0.front.popToRoot() }
    path.current = rest
    #expect(navigation.tree.front.routes.isEmpty)
  }

  @Test("a push that belongs to an old path has no effect")
  func stalePush() {
    let path = present()
    let pushed = path.current + [.cart]
    navigation.update { $0.front = RoutePath([.orders]) }
    path.current = pushed
    #expect(navigation.tree.front.routes == [.orders])
  }

  @Test("a change notifies code that tracks the routes")
  func notification() async throws {
    let path = present()
    let changes = Tally()
    withObservationTracking {
      _ = path.current
    } onChange: {
      changes.increment()
    }
    navigation.push(.cart)
    try await until { changes.count == 1 }
    #expect(path.current.last == .cart)
  }

  @Test("writes of a control and changes on another thread leave a path that one of them has made")
  func race() async {
    let (path, gate) = (present(), Gate())
    let other = Task.detached { [navigation] in
      await gate.wait()
      for number in 1...500 {
        navigation.push(.product(1_000 + number))
        _ = try? navigation.update { try $0.front.pop() }
      }
    }
    await gate.waitForArrivals(1)
    gate.open()
    for _ in 1...500 {
      let routes = path.current
      path.current = routes + [.cart]
      path.appear(.cart, screens.make())
      path.current = routes
    }
    await other.value
    #expect(navigation.tree.front.routes.starts(with: [.products, .product(7)]))
  }

  @Test("the user closes a sheet, but not the sheet of a route that has not been shown yet")
  func sheet() {
    let state = StateStore<TestRoute?>(.cart)
    let sheet = PresentedRoutes(state)
    #expect(sheet.route == .cart)
    sheet.appear(.cart, screens.make())
    state.send(.profile)
    sheet.route = nil
    #expect(state.value == .profile)
    sheet.appear(.profile, screens.make())
    sheet.route = nil
    #expect(state.value == nil)
    sheet.route = .cart
    #expect(state.value == .cart)
  }

  @Test("a route that changes while routes are compared remains")
  func changeDuringComparison() {
    let state = StateStore<ComparedKey?>(nil)
    let other = ComparedKey(name: "other")
    let shown = ComparedKey(name: "shown", whenCompared: { state.send(other) })
    state.send(shown)
    let sheet = PresentedRoutes(state)
    sheet.appear(ComparedKey(name: "shown"), screens.make())
    sheet.route = nil
    #expect(state.value?.name == "other")
  }

  @Test("a value that is set again while it is compared is replaced")
  func sameValueDuringComparison() {
    let (state, sends) = (StateStore(ComparedKey(name: "old")), Tally())
    let old = ComparedKey(
      name: "old",
      whenCompared: {
        guard sends.count == 0 else { return }
        sends.increment()
        state.send(ComparedKey(name: "old"))
      })
    #expect(state.storage.replace(old, with: ComparedKey(name: "new")))
    #expect(state.value.name == "new")
  }

  @Test("after the state is finished, a write has no effect")
  func finished() {
    let state = StateStore<TestRoute?>(.cart)
    let sheet = PresentedRoutes(state)
    sheet.appear(.cart, screens.make())
    state.finish()
    sheet.route = nil
    #expect(state.value == .cart)
  }

  @Test("it is released, and its observation with it")
  func release() async throws {
    let state = StateStore<TestRoute?>(.cart)
    try await LeakTracker.check { tracker in
      _ = tracker.track(PresentedRoutes(state)).route
    }
    try await until { state.observerCount == 0 }
  }
}
