#if canImport(UIKit) && os(Linux)
  import AsyncViewModelsTesting
  import Testing
  import ToolkitTestSupport
  import UIKit

  @testable import AsyncViewModelsUI

  /// A controller that presents the modals of a tree.
  @MainActor
  final class PresentingScreen {
    let model: NavigationModel<TestRoute>
    let controllers: ControllerSet
    let controller: RecordingViewController
    private(set) var delegate: NavigationTreeDelegate<TestRoute>!
    /// The entries whose controllers were made.
    private(set) var made: [NavigationEntry<TestRoute>] = []
    /// Changes a controller that was made.
    var onMake: @MainActor (UIViewController) -> Void = { _ in }
    /// Puts a controller into a container.
    var wrap: @MainActor (UIViewController) -> UIViewController = { $0 }

    init(_ model: NavigationModel<TestRoute>, _ controllers: ControllerSet, animated: Bool) {
      (self.model, self.controllers) = (model, controllers)
      controller = controllers.controller("screen")
      follow(animated: animated)
    }

    /// Follows the tree with a new delegate. What the old one has presented leaves.
    func follow(animated: Bool) {
      delegate = nil
      controller.dismiss(animated: false)
      UIKitStandIn.advance()
      delegate = NavigationTreeDelegate(of: controller, following: model, animated: animated) {
        [weak self, controllers] entry in
        let new = controllers.controller("\(entry.route)")
        new.title = "\(entry.route)"
        self?.made.append(entry)
        self?.onMake(new)
        defer { self?.wrap = { $0 } }
        return self?.wrap(new) ?? new
      }
    }

    /// The titles of what is presented when all transitions have ended.
    var shown: [String] {
      UIKitStandIn.advance()
      return sequence(first: controller as UIViewController, next: \.presentedViewController).dropFirst()
        .map { $0.title ?? "?" }
    }

    func waitFor(_ titles: [String]) async throws { try await until { self.shown == titles } }
  }

  /// Runs a test with a screen that presents these modals.
  @MainActor
  func withScreen(
    _ model: NavigationModel<TestRoute> = NavigationModel(), presenting routes: [TestRoute] = [],
    animated: Bool = true, shown: Bool = true, _ body: @MainActor (PresentingScreen) async throws -> Void
  ) async throws {
    try await withControllers { controllers in
      for route in routes { model.update { $0.present(route) } }
      let screen = PresentingScreen(model, controllers, animated: animated)
      if shown {
        controllers.show(screen.controller)
        try await screen.waitFor(routes.map { "\($0)" })
      }
      try await body(screen)
      (screen.onMake, screen.wrap) = ({ _ in }, { $0 })
      screen.controller.dismiss(animated: false)
      UIKitStandIn.advance()
    }
  }

  /// Lets a delegate receive what was sent.
  @MainActor
  func letChangesArrive() async {
    for _ in 0..<10 {
      await Task.yield()
      await Task.detached {}.value
    }
  }
#endif
