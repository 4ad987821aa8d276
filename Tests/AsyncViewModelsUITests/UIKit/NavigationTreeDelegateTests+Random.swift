#if canImport(UIKit) && os(Linux)
  import AsyncViewModelsTesting
  import Testing
  import ToolkitTestSupport
  import UIKit

  @testable import AsyncViewModelsUI

  extension UIKitTests.NavigationTreeDelegateTests {
    @Test(
      "after random changes by code and by the user, also during transitions, the controllers show the tree",
      arguments: 0..<40)
    func random(seed: UInt64) async throws {
      for round in 0..<5 {
        let script = TreeScript(seed: seed * 100 + UInt64(round))
        try await withControllers(late: round.isMultiple(of: 2)) { controllers in
          let user = WindowUser(script, seed: seed * 100 + UInt64(round), controllers)
          for _ in 0..<30 { try await user.step() }
          try await user.settle()
          try await user.end()
        }
      }
    }
  }

  /// Changes a tree by code and by gestures.
  @MainActor
  private final class WindowUser {
    private let model: NavigationModel<TestRoute>
    private let controllers: ControllerSet
    private let base: UIViewController
    private var delegate: NavigationTreeDelegate<TestRoute>?
    private var script: TreeScript
    private var numbers: SplitMix64

    /// The entries of the controllers that were made.
    @MainActor
    private final class Entries {
      private var all: [ObjectIdentifier: NavigationEntry<TestRoute>] = [:]

      subscript(controller: UIViewController) -> NavigationEntry<TestRoute>? {
        get { all[ObjectIdentifier(controller)] }
        set { all[ObjectIdentifier(controller)] = newValue }
      }
    }

    private let entries = Entries()
    /// The callers of alerts, and how many alerts the user has answered.
    private var callers: [Task<Int?, Never>] = []
    private var answered = 0

    init(_ script: TreeScript, seed: UInt64, _ controllers: ControllerSet) {
      (self.script, self.controllers) = (script, controllers)
      numbers = SplitMix64(seed: seed)
      let model = NavigationModel(script.tree, links: .test)
      self.model = model
      base = Self.controller(of: script.tree.base) { _ in UINavigationController() }
      delegate = NavigationTreeDelegate(of: base, following: model) { [entries] entry in
        let controller = controllers.controller("\(entry.route)")
        entries[controller] = entry
        let modal = model.store.value.entries.modals.first { $0.content.firstRoot == entry }
        guard let modal else { return controller }
        var first: UIViewController? = controller
        return Self.controller(of: modal.content.map(\.route)) {
          let root = first ?? controllers.controller("\($0)")
          // The root of a later tab has no record, also if it has the address of an old one.
          if first == nil { entries[root] = nil }
          first = nil
          return UINavigationController(rootViewController: root)
        }
      }
      controllers.show(base)
    }

    private static func controller(
      of container: NavigationTree<TestRoute>.Container, _ stack: (TestRoute) -> UINavigationController
    ) -> UIViewController {
      guard case .tabs(let tabs, _) = container else { return stack(container.root) }
      let controller = UITabBarController()
      controller.viewControllers = tabs.map { Self.controller(of: $0, stack) }
      return controller
    }

    /// The alert in front.
    private var alert: UIAlertController? { base.lastPresented as? UIAlertController }

    /// The controllers of the base and of the modals.
    private var layers: [UIViewController] {
      sequence(first: base, next: \.presentedViewController).filter { !($0 is UIAlertController) }
    }

    /// Changes the tree, or does what a user can do, and then waits or not.
    func step() async throws {
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0...2:
        script.tree = model.tree
        script.step()
        model.update { $0 = script.tree }
      case 3: try await gesture(\.tapTab)
      case 4: try await gesture(\.swipeDown)
      case 5: try await gesture(\.goBack)
      case 6: UIKitStandIn.advance()
      case 7:
        let model = model
        callers.append(
          Task { await model.choose(from: AlertState("?", buttons: [.init("OK", action: 1)])) })
      case 8: if Bool.random(using: &numbers) { try await answer() }
      default: await Task.yield()
      }
    }

    /// Makes a gesture. When nothing else is in progress, the tree is what the user asks for.
    private func gesture(
      _ gesture: KeyPath<WindowUser, (inout NavigationTree<TestRoute>) -> Void>
    ) async throws {
      let isSettled = Bool.random(using: &numbers)
      if isSettled { try await settle() }
      // An alert takes all gestures.
      guard base.lastPresented as? UIAlertController == nil else { return }
      var expected = model.tree
      self[keyPath: gesture](&expected)
      guard isSettled else { return }
      try await settle()
      // An alert may have come.
      #expect(model.tree.text == expected.text)
    }

    /// Taps the button of the alert, if one is shown.
    private func answer() async throws {
      try await settle()
      guard let alert else { return }
      UIKitStandIn.tap("OK", in: alert)
      answered += 1
    }

    private var tapTab: (inout NavigationTree<TestRoute>) -> Void {
      { [self] tree in
        guard let tabs = layers.last as? UITabBarController, !tabs.isInTransition,
          let children = tabs.viewControllers, case .tabs(let stacks, _) = tree.layers.last?.content
        else { return }
        let index = Int.random(in: children.indices, using: &numbers)
        // The tree may have other layers than the window during a transition.
        if stacks.count == children.count, tree.modals.isEmpty { tree.select(stacks[index].root) }
        if tree.modals.isEmpty { UIKitStandIn.tapTab(index, of: tabs) }
      }
    }

    private var swipeDown: (inout NavigationTree<TestRoute>) -> Void {
      { [self] tree in
        guard layers.count > 1, let front = layers.last, !base.isInTransition else { return }
        UIKitStandIn.swipeDown(front)
        tree.dismiss()
      }
    }

    private var goBack: (inout NavigationTree<TestRoute>) -> Void {
      { [self] tree in
        var front = layers.last
        while let tabs = front as? UITabBarController { front = tabs.selectedViewController }
        guard let stack = front as? UINavigationController, stack.viewControllers.count > 1,
          stack.transitionCoordinator == nil
        else { return }
        stack.popViewController(animated: Bool.random(using: &numbers))
        _ = try? tree.front.pop()
      }
    }

    /// Waits until the controllers show the tree.
    func settle() async throws {
      for _ in 0..<20_000 {
        UIKitStandIn.advance()
        if shown == model.tree.text, isUpToDate, !base.isInTransition,
          (alert != nil) == (model.tree.alert != nil)
        {
          return
        }
        await Task.detached {}.value
      }
      throw NotShown(shown: shown, tree: model.tree.text)
    }

    private struct NotShown: Error { let shown, tree: String }

    /// Whether each controller is that of the entry at its place. Call it if the texts are equal.
    private var isUpToDate: Bool {
      let wanted = model.store.value.entries.layers.flatMap(\.content.stacks).flatMap {
        [$0.root] + $0.path.routes
      }
      return zip(layers.flatMap(\.leaves), wanted).allSatisfy { entries[$0] == nil || entries[$0] == $1 }
    }

    private var shown: String { layers.map(\.shownScreens).joined(separator: " ") }

    /// Answers all alerts: each caller gets one answer.
    func end() async throws {
      try await until { callers.count == answered + model.store.value.alerts.count }
      while answered < callers.count { try await answer() }
      for caller in callers { #expect(await caller.value == 1) }
      #expect(model.tree.alert == nil)
      base.dismiss(animated: false)
      UIKitStandIn.advance()
    }
  }

  extension UIViewController {
    /// The controllers in the containers, in their order.
    fileprivate var leaves: [UIViewController] {
      switch self {
      case let stack as UINavigationController: stack.viewControllers
      case let tabs as UITabBarController: (tabs.viewControllers ?? []).flatMap(\.leaves)
      default: [self]
      }
    }
  }
#endif
