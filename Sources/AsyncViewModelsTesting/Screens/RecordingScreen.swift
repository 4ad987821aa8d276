public import AsyncViewModelsUI

/// A screen that only logs its life-cycle hooks, for tests of containers, coordinators and
/// factories.
///
/// - Isolation: The main actor.
@MainActor
public final class RecordingScreen: HostedScreen {
  /// The name of the screen in the log.
  public let name: String
  private let log: HookLog
  /// Runs after each logged hook, with the name of the hook, such as `"didLoad"`. A test can use it
  /// to act in the middle of a life-cycle step.
  public var onHook: (@MainActor (String) -> Void)?
  /// Runs in `didLoad`, before the hook is logged.
  public var bind: (@MainActor (ScreenHost) -> Void)?

  /// Creates a screen that logs its hooks in `log`.
  public init(_ name: String, in log: HookLog, bind: (@MainActor (ScreenHost) -> Void)? = nil) {
    self.name = name
    self.log = log
    self.bind = bind
  }

  /// Runs ``bind`` and logs the hook.
  public func didLoad(in host: ScreenHost) {
    bind?(host)
    record("didLoad")
  }
  /// Logs the hook.
  public func willAppear(animated: Bool) { record("willAppear", animated) }
  /// Logs the hook.
  public func didAppear(animated: Bool) { record("didAppear", animated) }
  /// Logs the hook.
  public func willDisappear(animated: Bool) { record("willDisappear", animated) }
  /// Logs the hook.
  public func didDisappear(animated: Bool) { record("didDisappear", animated) }
  /// Logs the hook with the size.
  public func willLayout(in size: ViewportSize) { record("willLayout", size) }
  /// Logs the hook with the size.
  public func didLayout(in size: ViewportSize) { record("didLayout", size) }
  /// Logs the hook.
  public func didReceiveMemoryWarning() { record("didReceiveMemoryWarning") }

  /// Logs the hook with the size, and later the alongside action and the completion of the
  /// transition.
  public func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {
    record("willTransition", size)
    coordinator.animate { [name, log] _ in
      log.append("\(name).alongside")
    } completion: { [name, log] in
      log.append("\(name).completion" + ($0.isCancelled ? " cancelled" : ""))
    }
  }

  /// Logs the hook, with `(nil)` if the parent is nil.
  public func willMove(to parent: ScreenHost?) { record(parent == nil ? "willMove(nil)" : "willMove") }
  /// Logs the hook, with `(nil)` if the parent is nil.
  public func didMove(to parent: ScreenHost?) { record(parent == nil ? "didMove(nil)" : "didMove") }

  private func record(_ hook: String, _ animated: Bool) {
    record(hook, detail: animated ? " animated" : "")
  }

  private func record(_ hook: String, _ size: ViewportSize) {
    record(hook, detail: " \(Int(size.width))x\(Int(size.height))")
  }

  private func record(_ hook: String, detail: String = "") {
    log.append("\(name).\(hook)\(detail)")
    onHook?(hook)
  }
}
