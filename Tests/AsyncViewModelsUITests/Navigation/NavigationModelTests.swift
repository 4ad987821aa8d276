import AsyncViewModelsTesting
import Foundation
import Testing
import ToolkitTestSupport

@testable import AsyncViewModelsUI

/// The navigation of a window as observable state.
@Suite("NavigationModel", .timeLimit(.minutes(5)), .endsWaits)
struct NavigationModelTests {
  @Test("every observer sees the current tree and its changes")
  func observers() async throws {
    try await withModel { model in
      let observers = (0..<3).map { _ in StateRecorder(model.trees()) }
      for observer in observers { try await observer.first { $0.front.routes.isEmpty } }
      model.push(.products)
      model.push(.product(7))
      for observer in observers { try await observer.first { $0.top == .product(7) } }
      #expect(try model.update { try $0.front.pop() } == .product(7))
      #expect(try model.update { try $0.front.pop(to: .products) } == [])
      #expect(model.update { $0.front.popToRoot() } == [.products])
      for observer in observers { try await observer.first { $0.front.routes.isEmpty } }
    }
  }

  @Test("two taps on one link open one screen, and observers receive one tree")
  func doubleTap() async throws {
    try await withModel { model in
      // With duplicates.
      let states = StateRecorder(model.store.states(.unbounded))
      try await states.first { $0.tree.front.routes.isEmpty }
      model.push(.product(1))
      model.push(.product(1))
      #expect(model.tree.front.routes == [.product(1)])
      model.push(.cart)
      try await states.first { $0.tree.top == .cart }
      #expect(states.states.map(\.tree.front.routes) == [[], [.product(1)], [.product(1), .cart]])
      #expect(model.tree.front.routes == [.product(1), .cart])
      model.push(.cart, again: true)
      #expect(model.tree.front.routes == [.product(1), .cart, .cart])
    }
  }

  @Test("the route of the screen on top is not pushed, also if it is a root")
  func pushOfTheRoot() async throws {
    try await withModel { model in
      model.push(.home)
      #expect(model.tree.front.routes.isEmpty)
      model.update { $0.present(.profile) }
      model.push(.profile)
      #expect(model.tree.front.routes.isEmpty)
      model.push(.profile, again: true)
      #expect(model.tree.front.routes == [.profile])
    }
  }

  @Test("opening a link changes the tree")
  func link() async throws {
    try await withModel { model in
      model.push(.cart)
      try model.open(try #require(URL(string: "test://app/products/7")))
      #expect(model.tree.front.routes == [.products, .product(7)])
    }
  }

  @Test("a stack is selected by its entry, in the base and in modals, also among equal roots")
  func selectedStack() throws {
    let model = NavigationModel<TestRoute>(
      NavigationTree(.tabs([.stack(.home), .stack(.cart)])), links: .test)
    model.update { tree in
      tree.present(.tabs([.stack(.orders), .stack(.profile)]))
      tree.present(.tabs([.stack(.cart), .stack(.cart)]))
    }
    let layers = model.store.value.entries.layers.map { $0.content.stacks.map(\.root) }
    for roots in layers { model.select(roots[1]) }
    #expect(model.store.value.entries.layers.map(\.content.root) == layers.map { $0[1] })
    model.select(layers[2][0])
    #expect(
      model.store.value.entries.layers.map(\.content.root) == [layers[0][1], layers[1][1], layers[2][0]])
    let tree = model.tree
    model.update { $0.dismissAll() }
    model.select(layers[2][1])
    #expect(model.tree.base == tree.base, "the entry has left the tree")
  }

  @Test("a tree that was stored is restored")
  func restoration() async throws {
    try await withModel { model in
      model.push(.orders)
      let tree = model.tree
      model.update { $0.front.popToRoot() }
      model.update { $0.restore(tree) }
      #expect(model.tree == tree)
    }
  }

  @Test("a change that ends where it began publishes nothing, and keeps the screens")
  func noChange() async throws {
    try await withModel { model in
      let trees = StateRecorder(model.store.states())
      model.push(.cart)
      try await trees.first { $0.tree.top == .cart }
      let entries = model.entries(above: nil)
      model.update {
        $0.front.popToRoot()
        $0.front.push(.cart)
      }
      #expect(model.entries(above: nil) == entries)
      for _ in 0..<100 { await Task.yield() }  // gives a wrongly published tree the time to arrive
      #expect(trees.states.filter { $0.tree.top == .cart }.count == 1)
    }
  }

  @Test("a rejected change leaves the tree unchanged and publishes nothing")
  func rejections() async throws {
    try await withModel { model in
      // With duplicates.
      let states = StateRecorder(model.store.states(.unbounded))
      try await states.first { $0.tree.front.routes.isEmpty }
      #expect(throws: RoutePathError<TestRoute>.popAtRoot) {
        try model.update { try $0.front.pop() }
      }
      model.push(.cart)
      try await states.first { $0.tree.top == .cart }

      let link = try #require(URL(string: "test://app/moon"))
      #expect(throws: RoutePathError.notInPath(TestRoute.orders)) {
        try model.update { tree in
          tree.front.push(.profile)
          try tree.front.pop(to: .orders)
        }
      }
      #expect(throws: DeepLinkParserError.component("moon")) { try model.open(link) }
      #expect(model.tree.front.routes == [.cart])

      model.push(.profile)
      try await states.first { $0.tree.top == .profile }
      #expect(states.states.map(\.tree.front.routes) == [[], [.cart], [.cart, .profile]])
    }
  }

  @Test("concurrent changes are all applied")
  func concurrentChanges() async throws {
    try await withModel { model in
      await withTaskGroup { group in
        for _ in 0..<8 { group.addTask { for _ in 0..<100 { model.push(.cart, again: true) } } }
      }
      #expect(model.tree.front.routes.count == 800)
      await withTaskGroup { group in
        for _ in 0..<8 { group.addTask { for _ in 0..<100 { _ = try? model.update { try $0.front.pop() } } } }
      }
      #expect(model.tree.front.routes.isEmpty)
    }
  }

  @Test("if the comparison of routes in `pop(to:)` pushes a screen, `pop(to:)` removes that screen, too")
  func routesThatUseTheModel() throws {
    let holder = Holder<NavigationModel<ComparedKey>>()
    let pushes = Tally()
    let model = NavigationModel<ComparedKey>(
      NavigationTree(root: ComparedKey(name: "root")),
      links: DeepLinkParser(scheme: "test", host: "app") { _, _ in })
    holder.set(model)
    model.push(ComparedKey(name: "list"))
    let list = ComparedKey(
      name: "list",
      whenCompared: {
        guard pushes.count == 0 else { return }
        pushes.increment()
        holder.value?.push(ComparedKey(name: "detail"))
      })
    #expect(try model.update { try $0.front.pop(to: list) }.map(\.name) == ["detail"])
    #expect(model.tree.front.routes.map(\.name) == ["list"])
    holder.clear()
  }

  @Test("a push whose comparison of routes pushes another screen adds its screen above that one")
  func pushWhoseComparisonPushes() {
    let holder = Holder<NavigationModel<ComparedKey>>()
    let pushes = Tally()
    let model = NavigationModel<ComparedKey>(
      NavigationTree(root: ComparedKey(name: "root")),
      links: DeepLinkParser(scheme: "test", host: "app") { _, _ in })
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
    #expect(model.tree.front.routes.map(\.name) == ["list", "other", "item"])
    holder.clear()
  }

  @Test("deallocating the model finishes its streams after the last tree")
  func end() async throws {
    var states: StateRecorder<NavigationTree<TestRoute>>?
    try await withModel { model in
      states = StateRecorder(model.trees())
      model.push(.cart)
    }
    #expect(try await states?.waitForEnd().last?.top == .cart)
  }

  private func withModel(
    _ body: (NavigationModel<TestRoute>) async throws -> Void
  ) async throws {
    try await LeakTracker.check { tracker in
      try await body(tracker.track(NavigationModel<TestRoute>()))
    }
  }
}
