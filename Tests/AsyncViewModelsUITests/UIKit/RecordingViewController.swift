#if canImport(UIKit) && os(Linux)
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import UIKit

  /// A view controller that logs its life cycle like a ``RecordingScreen``.
  final class RecordingViewController: UIViewController {
    let name: String
    private let log: HookLog
    /// Runs after each logged call, with its name, such as `"didLoad"`.
    var onHook: (@MainActor (String) -> Void)?
    let bindings = ScreenBindings()

    init(_ name: String, in log: HookLog) {
      self.name = name
      self.log = log
      super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError("not archived") }

    override func viewDidLoad() {
      super.viewDidLoad()
      record("didLoad")
    }

    override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      record("willAppear", animated)
    }

    override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      record("didAppear", animated)
    }

    override func viewWillDisappear(_ animated: Bool) {
      super.viewWillDisappear(animated)
      record("willDisappear", animated)
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      record("didDisappear", animated)
    }

    override func willMove(toParent parent: UIViewController?) {
      super.willMove(toParent: parent)
      record(parent == nil ? "willMove(nil)" : "willMove")
    }

    override func didMove(toParent parent: UIViewController?) {
      super.didMove(toParent: parent)
      record(parent == nil ? "didMove(nil)" : "didMove")
    }

    private func record(_ hook: String, _ animated: Bool = false) {
      log.append("\(name).\(hook)" + (animated ? " animated" : ""))
      onHook?(hook)
    }
  }

  /// A window with a root controller, and the controllers of one test.
  @MainActor
  struct ControllerSet {
    let log = HookLog()
    let tracker: LeakTracker
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

    func controller(_ name: String) -> RecordingViewController {
      tracker.track(RecordingViewController(name, in: log), name)
    }

    /// Shows `root` in the window, and empties the log.
    func show(_ root: UIViewController) {
      window.rootViewController = root
      window.makeKeyAndVisible()
      UIKitStandIn.advance()
      _ = log.take()
    }
  }

  /// Runs a test with a window, and checks that no tracked controller outlives the test.
  ///
  /// - Parameter late: Whether transitions without animation also end in `UIKitStandIn.advance()`. In UIKit, they end in
  ///   the next turn of the run loop.
  @MainActor
  func withControllers(
    late: Bool = false, _ body: @MainActor (ControllerSet) async throws -> Void
  ) async throws {
    try await LeakTracker.check { tracker in
      UIKitStandIn.endsAllTransitionsInAdvance = late
      defer { UIKitStandIn.endsAllTransitionsInAdvance = false }
      let controllers = ControllerSet(tracker: tracker)
      try await body(controllers)
      controllers.window.rootViewController = nil
      UIKitStandIn.advance()
    }
  }
#endif
