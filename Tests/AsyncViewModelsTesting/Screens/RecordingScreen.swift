public import AsyncViewModels

/// A screen that does nothing but log its hooks, for tests of containers, coordinators and factories.
///
/// - Isolation: the main actor.
@MainActor
public final class RecordingScreen: HostedScreen {
  public let name: String
  private let log: HookLog
  /// Called after a hook has been logged, with its name (`"didLoad"`): to do something in the middle of a step.
  public var onHook: (@MainActor (String) -> Void)?
  /// Called in `didLoad`, before it is logged.
  public var bind: (@MainActor (ScreenHost) -> Void)?

  public init(_ name: String, in log: HookLog, bind: (@MainActor (ScreenHost) -> Void)? = nil) {
    self.name = name
    self.log = log
    self.bind = bind
  }

  public func didLoad(in host: ScreenHost) {
    bind?(host)
    record("didLoad")
  }
  public func willAppear(animated: Bool) { record("willAppear", animated) }
  public func didAppear(animated: Bool) { record("didAppear", animated) }
  public func willDisappear(animated: Bool) { record("willDisappear", animated) }
  public func didDisappear(animated: Bool) { record("didDisappear", animated) }
  public func didLayout(in size: ViewportSize) { record("didLayout", size) }
  public func didReceiveMemoryWarning() { record("didReceiveMemoryWarning") }

  public func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {
    record("willTransition", size)
    coordinator.animate { [name, log] _ in
      log.append("\(name).alongside")
    } completion: { [name, log] in
      log.append("\(name).completion" + ($0.isCancelled ? " cancelled" : ""))
    }
  }

  public func willMove(to parent: ScreenHost?) { record(parent == nil ? "willMove(nil)" : "willMove") }
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
