import Synchronization

/// A task of a world, known by its name.
public final class SimulatedTask: Sendable {
  public let name: String
  private let state = Mutex<(task: Task<Void, Never>?, hasEnded: Bool)>((nil, false))

  init(name: String) { self.name = name }

  /// Whether its body has returned or thrown.
  public var hasEnded: Bool { state.withLock { $0.hasEnded } }

  public func cancel() { state.withLock { $0.task }?.cancel() }

  /// Returns when the task has ended; it takes no notice of cancellation.
  public func finish() async { await state.withLock { $0.task }?.value }

  func start(_ task: Task<Void, Never>) { state.withLock { $0.task = task } }

  func end() { state.withLock { $0.hasEnded = true } }
}
