import Synchronization

/// A named task of a simulated world.
public final class SimulatedTask: Sendable {
  let name: String
  private let state = Mutex<(task: Task<Void, Never>?, hasEnded: Bool)>((nil, false))

  init(name: String) { self.name = name }

  /// Whether the body of the task has returned or thrown.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Cancels the task.
  public func cancel() { state.withLock { $0.task }?.cancel() }

  /// Waits until the task ends. Ignores cancellation.
  public func waitForEnd() async { await state.withLock { $0.task }?.value }

  func start(_ task: Task<Void, Never>) { state.withLock { $0.task = task } }

  func end() { state.withLock { $0.hasEnded = true } }
}
