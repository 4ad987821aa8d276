import AsyncViewModelsTesting
import AsyncViewModelsUI
import Foundation
import Testing
import ToolkitTestSupport

/// The navigation path as observable state.
@Suite("NavigationModel", .timeLimit(.minutes(5)), .endsWaits)
struct NavigationModelTests {
  @Test("every observer sees the current path and its changes")
  func observers() async throws {
    try await withModel { model in
      let observers = (0..<3).map { _ in StateRecorder(model.paths()) }
      for observer in observers { try await observer.first { $0.routes.isEmpty } }
      model.push(.products)
      model.push(.product(7))
      for observer in observers { try await observer.first { $0.top == .product(7) } }
      #expect(try model.pop() == .product(7))
      #expect(try model.pop(to: .products) == [])
      #expect(model.popToRoot() == [.products])
      for observer in observers { try await observer.first { $0.routes.isEmpty } }
    }
  }

  @Test("two taps on one link open one screen, and observers receive one path")
  func doubleTap() async throws {
    try await withModel { model in
      let paths = StateRecorder(model.paths())
      try await paths.first { $0.routes.isEmpty }
      model.push(.product(1))
      model.push(.product(1))
      #expect(model.path.routes == [.product(1)])
      model.push(.cart)
      try await paths.first { $0.top == .cart }
      #expect(paths.states.filter { $0.top == .product(1) }.count <= 1)
      #expect(model.path.routes == [.product(1), .cart])
      model.push(.cart, again: true)
      #expect(model.path.routes == [.product(1), .cart, .cart])
    }
  }

  @Test("opening a link replaces the path")
  func link() async throws {
    try await withModel { model in
      model.push(.cart)
      try model.open(try #require(URL(string: "test://app/products/7")))
      #expect(model.path.routes == [.products, .product(7)])
    }
  }

  @Test("a path that was kept before replaces the current one")
  func replacement() async throws {
    try await withModel { model in
      model.push(.orders)
      let path = model.path
      model.popToRoot()
      model.replacePath(with: path)
      #expect(model.path.routes == [.orders])
    }
  }

  @Test("a rejected change leaves the path unchanged and publishes nothing")
  func rejections() async throws {
    try await withModel { model in
      let states = StateRecorder(model.paths())
      try await states.first { $0.routes.isEmpty }
      for _ in 0..<100 {
        #expect(throws: RoutePathError<TestRoute>.popAtRoot) { try model.pop() }
        await Task.yield()  // gives a wrongly published path the time to arrive
      }
      model.push(.cart)
      try await states.first { $0.top == .cart }

      let link = try #require(URL(string: "test://app/moon"))
      #expect(throws: RoutePathError.notInPath(TestRoute.orders)) { try model.pop(to: .orders) }
      #expect(throws: DeepLinkParserError.component("moon")) { try model.open(link) }
      #expect(model.path.routes == [.cart])

      model.push(.profile)
      try await states.first { $0.top == .profile }
      #expect(states.states.map(\.routes) == [[], [.cart], [.cart, .profile]])
    }
  }

  @Test("concurrent changes are all applied")
  func concurrentChanges() async throws {
    try await withModel { model in
      await withTaskGroup { group in
        for _ in 0..<8 { group.addTask { for _ in 0..<100 { model.push(.cart, again: true) } } }
      }
      #expect(model.path.routes.count == 800)
      await withTaskGroup { group in
        for _ in 0..<8 { group.addTask { for _ in 0..<100 { _ = try? model.pop() } } }
      }
      #expect(model.path.routes.isEmpty)
    }
  }

  @Test("if the comparison of routes in `pop(to:)` pushes a screen, `pop(to:)` removes that screen, too")
  func routesThatUseTheModel() throws {
    let holder = Holder<NavigationModel<ComparedKey>>()
    let pushes = Tally()
    let model = NavigationModel<ComparedKey>(
      links: DeepLinkParser(scheme: "test", host: "app") { _ in [] })
    holder.set(model)
    model.push(ComparedKey(name: "list"))
    let list = ComparedKey(
      name: "list",
      whenCompared: {
        guard pushes.count == 0 else { return }
        pushes.increment()
        holder.value?.push(ComparedKey(name: "detail"))
      })
    #expect(try model.pop(to: list).map(\.name) == ["detail"])
    #expect(model.path.routes.map(\.name) == ["list"])
    holder.clear()
  }

  @Test("a push whose comparison of routes pushes another screen adds its screen above that one")
  func pushWhoseComparisonPushes() {
    let holder = Holder<NavigationModel<ComparedKey>>()
    let pushes = Tally()
    let model = NavigationModel<ComparedKey>(links: DeepLinkParser(scheme: "test", host: "app") { _ in [] })
    holder.set(model)
    model.push(ComparedKey(name: "list"))
    let route = ComparedKey(
      name: "item",
      whenCompared: {
        guard pushes.count == 0 else { return }
        pushes.increment()
        holder.value?.push(ComparedKey(name: "other"))
      })
    model.push(route)
    #expect(model.path.routes.map(\.name) == ["list", "other", "item"])
    holder.clear()
  }

  @Test("deallocating the model finishes its streams after the last path")
  func end() async throws {
    var states: StateRecorder<RoutePath<TestRoute>>?
    try await withModel { model in
      states = StateRecorder(model.paths())
      model.push(.cart)
    }
    #expect(try await states?.waitForEnd().last?.top == .cart)
  }

  private func withModel(
    _ body: (NavigationModel<TestRoute>) async throws -> Void
  ) async throws {
    try await LeakTracker.check { tracker in
      try await body(tracker.track(NavigationModel(links: .test)))
    }
  }
}
