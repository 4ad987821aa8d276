import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@testable import AsyncViewModelsUI

@MainActor
@Suite("TreeScreenContainer", .timeLimit(.minutes(5)), .endsWaits)
struct TreeScreenContainerTests {
  private static let tabs = NavigationTree<TestRoute>(.tabs([.stack(.home), .stack(.products)]))

  @Test("the container loads only the front of each layer of the first tree")
  func firstTree() async throws {
    var tree = Self.tabs
    tree.front.push(.cart)
    tree.present(.profile)
    try await withWindow(of: tree) { window in
      #expect(
        window.takeLog() == [
          "cart.didLoad", "profile.didLoad", "cart.willAppear", "profile.willAppear", "cart.didAppear",
          "profile.didAppear",
        ])
      #expect(window.container.top?.recording.name == "profile")
      #expect(window.shown == "[home/cart, products]0 profile")
    }
  }

  @Test("a selected tab appears with its newest path, and the old tab changes when it is off display")
  func selection() async throws {
    var tree = Self.tabs
    tree.front.push(.cart)
    try await withWindow(of: tree) { window in
      _ = window.takeLog()
      window.update {
        $0.front.popToRoot()
        $0.select(.products)
        $0.front.push(.product(7))
      }
      #expect(window.shown == "[home, products/product(7)]1")
      #expect(
        window.takeLog() == [
          "product(7).didLoad", "product(7).willAppear", "cart.willDisappear", "cart.didDisappear",
          "product(7).didAppear", "home.didLoad",
        ])
    }
  }

  @Test("a sheet hides nothing, and a cover hides all layers below it")
  func modals() async throws {
    try await withWindow(of: NavigationTree(root: .home)) { window in
      _ = window.takeLog()
      window.update { $0.present(.cart, as: .sheet) }
      #expect(window.takeLog() == ["cart.didLoad", "cart.willAppear animated", "cart.didAppear animated"])
      window.update { $0.present(.profile, as: .cover) }
      #expect(
        window.takeLog() == [
          "profile.didLoad", "cart.willDisappear animated", "home.willDisappear animated",
          "profile.willAppear animated", "cart.didDisappear animated", "home.didDisappear animated",
          "profile.didAppear animated",
        ])
      #expect(window.visible == ["profile"])
      window.update { $0.dismiss() }
      #expect(
        window.takeLog() == [
          "profile.willDisappear animated", "home.willAppear animated", "cart.willAppear animated",
          "profile.didDisappear animated", "home.didAppear animated", "cart.didAppear animated",
        ])
      try await until { !window.screens.tracker.survivors.contains("profile") }
    }
  }

  @Test("a popover hides nothing")
  func popover() async throws {
    try await withWindow(of: NavigationTree(root: .home)) { window in
      window.update { $0.present(.cart, as: .popover) }
      #expect(window.visible == ["home", "cart"])
    }
  }

  @Test("pushes and modals are animated, unless the container is not", arguments: [true, false])
  func animation(isAnimated: Bool) async throws {
    try await withWindow(of: Self.tabs, animated: isAnimated) { window in
      #expect(!window.takeLog().contains { $0.contains("animated") })
      window.update { $0.front.push(.cart) }
      #expect(window.takeLog().contains("cart.didAppear animated") == isAnimated)
      window.update { $0.present(.profile) }
      #expect(window.takeLog().contains("profile.didAppear animated") == isAnimated)
    }
  }

  @Test("modals that leave together show nothing in between")
  func dismissAll() async throws {
    try await withWindow(of: NavigationTree(root: .home)) { window in
      window.update {
        $0.present(.cart, as: .cover)
        $0.present(.profile, as: .cover)
      }
      _ = window.takeLog()
      window.update { $0.dismissAll() }
      #expect(!window.takeLog().contains { $0.hasPrefix("cart") })
      #expect(window.visible == ["home"])
    }
  }

  @Test("an equal modal that is presented again gets a new screen")
  func presentedAgain() async throws {
    try await withWindow(of: NavigationTree(root: .home)) { window in
      window.update { $0.present(.cart) }
      let first = window.container.top
      window.model.update { $0.dismiss() }
      window.model.update { $0.present(.cart) }
      window.container.update()
      #expect(window.shown == "home cart")
      #expect(window.container.top !== first)
    }
  }

  @Test("an equal modal that is presented again gets a new screen, also soon after")
  func presentedAgainSoon() async throws {
    try await withWindow(of: NavigationTree(root: .home, path: RoutePath([.orders]))) { window in
      window.update { $0.present(.cart) }
      let first = window.container.top
      window.model.update { $0.dismiss() }
      window.model.update { $0.present(.cart) }
      try await until { window.container.top !== first }
      #expect(window.shown == "home/orders cart")
    }
  }

  @Test("a container in a next host shows its tree again")
  func nextHost() async throws {
    try await withScreens { screens in
      let model = NavigationModel(Self.tabs, links: .test)
      model.update { $0.present(.cart) }
      let container = screens.track(
        TreeScreenContainer(following: model) { RecordingScreen("\($0.route)", in: screens.log) })
      for _ in 1...2 {
        let host = ScreenHost(container)
        try host.show()
        #expect(host.children.count == 2)
        #expect(container.top?.parent?.parent === host)
        #expect(container.top?.phase == .visible)
        try host.hide()
      }
    }
  }

  @Test("a pop in any layer removes its route from the tree before it returns")
  func pops() async throws {
    var tree = Self.tabs
    tree.front.push(.cart)
    tree.present(.stack(.profile, path: RoutePath([.orders, .cart])))
    try await withWindow(of: tree) { window in
      try window.stack(of: "profile").pop()
      #expect(window.model.tree.front.routes == [.orders])
      try window.stack(of: "home").pop()
      #expect(window.model.tree.base == Self.tabs.base)
      window.container.update()
      #expect(window.shown == "[home, products]0 profile/orders")
    }
  }

  @Test("a base with another root gets new screens")
  func otherBase() async throws {
    try await withWindow(of: Self.tabs) { window in
      window.update { $0 = NavigationTree(root: .cart) }
      #expect(window.shown == "cart")
      try await until { !window.screens.tracker.survivors.contains("home") }
    }
  }

  @Test("a hook may change the tree, and the container shows the last tree")
  func changesInHooks() async throws {
    for hook in ["willMove", "didLoad", "willAppear", "didAppear", "didMove"] {
      try await withWindow(of: Self.tabs) { window in
        window.onHook = { [weak window] screen, called in
          guard screen == "cart", called == hook else { return }
          window?.update {
            $0.dismissAll()
            $0.select(.products)
            $0.present(.profile)
          }
        }
        window.update { $0.front.push(.orders) }
        window.update { $0.present(.cart) }
        try await until { window.shown == "[home/orders, products]1 profile" }
        #expect(window.visible == ["products", "profile"])
      }
    }
  }

  @Test("a screen that appears in a stack may present a modal, which the same update shows")
  func presentedByAPushedScreen() async throws {
    try await withWindow(of: Self.tabs) { window in
      window.onHook = { [model = window.model] screen, hook in
        if screen == "orders", hook == "didAppear" { model.update { $0.present(.profile) } }
      }
      window.update { $0.front.push(.orders) }
      #expect(window.shown == "[home/orders, products]0 profile")
    }
  }

  @Test("the creation of a screen may change the tree, and no screen of an old tree appears")
  func changeWhileCreating() async throws {
    try await withWindow(of: Self.tabs) { window in
      window.onCreation = { [weak window] route in
        if route == .cart { window?.model.update { $0.dismissAll() } }
      }
      window.update { $0.present(.cart) }
      #expect(window.shown == "[home, products]0")
      #expect(!window.takeLog().contains { $0.hasPrefix("cart.") })
    }
  }

  @Test("a pushed screen whose creation leads elsewhere does not appear")
  func redirection() async throws {
    try await withWindow(of: Self.tabs) { window in
      window.onCreation = { [weak window] route in
        if route == .cart { window?.model.update { $0.front = RoutePath([.profile]) } }
      }
      window.update { $0.front.push(.cart) }
      #expect(window.shown == "[home/profile, products]0")
      #expect(!window.takeLog().contains { $0.hasPrefix("cart.") })
    }
  }

  @Test("a container that has ended no longer follows the tree")
  func end() async throws {
    try await withWindow(of: Self.tabs) { window in
      window.update { $0.present(.cart) }
      try window.host.hide()
      try window.host.end()
      window.onCreation = { Issue.record("the screen of \($0) was created") }
      window.update { $0.present(.profile) }
      #expect(window.container.top == nil)
    }
  }

  @Test("a tree that changes on its own is shown soon after")
  func observation() async throws {
    try await withWindow(of: Self.tabs) { window in
      window.model.update { $0.select(.products) }
      try await until { window.shown == "[home, products]1" }
    }
  }

  @Test(
    "after random changes of the tree, and pops, exactly the screens of the tree are shown", arguments: 0..<20
  )
  func random(seed: UInt64) async throws {
    for round in 0..<15 {
      var script = TreeScript(seed: seed * 100 + UInt64(round))
      var numbers = SplitMix64(seed: seed * 100 + UInt64(round))
      try await withWindow(of: script.tree) { window in
        for step in 0..<20 {
          script.step()
          window.update { $0 = script.tree }
          #expect(window.shown == script.tree.text, "round \(round), step \(step)")
          #expect(window.visible == Window.visible(in: script.tree), "round \(round), step \(step)")
          if Int.random(in: 0..<4, using: &numbers) == 0, let stack = window.frontStack,
            stack.screens.count > 1
          {
            try stack.pop()
            script.pop()
          }
        }
      }
    }
  }
}

/// A window that shows a tree with recording screens.
@MainActor
private final class Window {
  let model: NavigationModel<TestRoute>
  let screens: ScreenSet
  let container: TreeScreenContainer<TestRoute>
  let host: ScreenHost
  /// Runs before the screen of a route is created.
  var onCreation: (@MainActor (TestRoute) -> Void)?
  /// Runs after a hook of a screen, with the names of the screen and the hook.
  var onHook: (@MainActor (String, String) -> Void)?

  init(_ tree: NavigationTree<TestRoute>, animated: Bool, _ screens: ScreenSet) {
    (model, self.screens) = (NavigationModel(tree, links: .test), screens)
    let box = WeakBox<Window>()
    container = screens.track(
      TreeScreenContainer(following: model, animated: animated) { entry in
        box.value?.onCreation?(entry.route)
        let name = "\(entry.route)"
        let screen = screens.tracker.track(RecordingScreen(name, in: screens.log), name)
        screen.onHook = { hook in box.value?.onHook?(name, hook) }
        return screen
      })
    host = screens.tracker.track(ScreenHost(container), "window")
    box.value = self
  }

  /// Changes the tree, and shows it at once.
  func update(_ change: (inout NavigationTree<TestRoute>) -> Void) {
    model.update(change)
    container.update()
  }

  /// The hooks since the last call, without those of moves and sizes.
  func takeLog() -> [String] {
    screens.log.take().filter { !$0.contains("Move") && !$0.contains("Layout") }
  }

  // MARK: - What is shown

  var shown: String { host.children.map(Self.text).joined(separator: " ") }
  var visible: [String] { Self.leaves(of: host).filter { $0.phase == .visible }.map(\.recording.name) }
  var frontStack: NavigationScreenContainer? { container.top?.parent?.screen as? NavigationScreenContainer }

  func stack(of root: String) throws -> NavigationScreenContainer {
    let screen = try #require(Self.leaves(of: host).first { $0.recording.name == root })
    return try #require(screen.parent?.screen as? NavigationScreenContainer)
  }

  private static func leaves(of host: ScreenHost) -> [ScreenHost] {
    host.screen is RecordingScreen ? [host] : host.children.flatMap(leaves)
  }

  private static func text(_ host: ScreenHost) -> String {
    switch host.screen {
    case let stack as NavigationScreenContainer:
      stack.screens.map(\.recording.name).joined(separator: "/")
    case let tabs as TabScreenContainer:
      "[\(tabs.tabs.map(text).joined(separator: ", "))]\(tabs.selectedIndex)"
    default: "?"
    }
  }

  // MARK: - What has to be shown

  static func visible(in tree: NavigationTree<TestRoute>) -> [String] {
    var names: [String] = []
    for (style, content) in tree.layers {
      if style == .cover { names = [] }
      names.append("\(content.front.top ?? content.root)")
    }
    return names
  }
}

private final class WeakBox<Object: AnyObject> { weak var value: Object? }

/// Runs a test with a window on display, and checks that nothing of it outlives the test.
@MainActor
private func withWindow(
  of tree: NavigationTree<TestRoute>, animated: Bool = true, body: @MainActor (Window) async throws -> Void
) async throws {
  try await withScreens { screens in
    let window = screens.track(Window(tree, animated: animated, screens))
    try window.host.show()
    try await body(window)
    (window.onHook, window.onCreation) = (nil, nil)
  }
}
