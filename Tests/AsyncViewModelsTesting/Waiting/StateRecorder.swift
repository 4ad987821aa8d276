/// Writes down every element of a stream, in order, and lets a test await the one that it is looking for.
///
/// ```swift
/// let recorder = StateRecorder(model.states())
/// try await recorder.first { $0.isLoading }
/// gate.open()
/// try await recorder.first { $0.value == "done" }
/// ```
///
/// - Promises: elements are recorded in the order in which the stream gives them, from a task that the recorder owns.
///   A stream that conflates may leave values out before they get here; what is recorded is what an observer sees.
/// - Isolation: none; every member may be used from anywhere, by any number of tasks.
/// - Cancellation: the recorder leaves the stream when its last reference goes away, and on ``cancel()``.
public final class StateRecorder<Value: Sendable>: Sendable {
  private struct Log {
    var states: [Value] = []
    var end: Result<Void, any Error>?
  }

  private let log: Monitor<Log>
  private let task: Task<Void, Never>

  /// Begins to record at once.
  public init<Source: AsyncSequence & Sendable>(_ source: Source) where Source.Element == Value {
    let log = Monitor(Log())
    self.log = log
    task = Self.record(source, in: log)
  }

  /// What has been recorded so far.
  public var states: [Value] { log.snapshot.states }

  /// The first element, already recorded or still to come, that satisfies the predicate.
  ///
  /// - Parameter index: where to begin to look. Pass `states.count` to look at later elements only.
  /// - Throws: ``StreamEndedEarly`` when the stream ended without such an element, the stream's own error when it
  ///   failed, `CancellationError` when the waiting task was cancelled.
  @discardableResult
  public func first(
    from index: Int = 0, where predicate: (Value) throws -> Bool
  ) async throws -> Value {
    precondition(index >= 0, "StateRecorder.first: the index must not be negative, but is \(index)")
    var next = index
    while true {
      let position = next
      let isSettled = await log.waitUnlessCancelled { $0.states.count > position || $0.end != nil }
      let log = log.snapshot
      guard position < log.states.count else {
        guard isSettled else { throw CancellationError() }
        try log.end?.get()
        throw StreamEndedEarly(recorded: log.states.map { String(describing: $0) })
      }
      if try predicate(log.states[position]) { return log.states[position] }
      next += 1
    }
  }

  /// Waits until at least `count` elements are recorded, and returns all that there are then.
  ///
  /// - Throws: as ``first(from:where:)`` does.
  @discardableResult
  public func waitForStates(_ count: Int) async throws -> [Value] {
    if count > 0 { try await first(from: count - 1) { _ in true } }
    return states
  }

  /// Waits until the stream has ended, and returns everything that it gave.
  ///
  /// - Throws: the stream's own error, or `CancellationError` when the waiting task was cancelled.
  @discardableResult
  public func waitForEnd() async throws -> [Value] {
    guard await log.waitUnlessCancelled(until: { $0.end != nil }) else { throw CancellationError() }
    let log = log.snapshot
    try log.end?.get()
    return log.states
  }

  /// Leaves the stream. What has been recorded stays.
  public func cancel() { task.cancel() }

  private static func record<Source: AsyncSequence & Sendable>(
    _ source: Source, in log: Monitor<Log>
  ) -> Task<Void, Never> where Source.Element == Value {
    Task {
      let end: Result<Void, any Error>
      do {
        for try await value in source { log.update { $0.states.append(value) } }
        end = .success(())
      } catch {
        end = .failure(error)
      }
      log.update { $0.end = end }
    }
  }

  deinit { task.cancel() }
}
