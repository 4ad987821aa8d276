/// Records every element of a stream in order, and lets a test wait for a certain element.
///
/// ```swift
/// let recorder = StateRecorder(model.states())
/// try await recorder.first { $0.isLoading }
/// gate.open()
/// try await recorder.first { $0.value == "done" }
/// ```
///
/// - Ordering: A task of the recorder records the elements in the order of the stream. Like any
///   observer, the recorder may miss values of a stream that keeps only the newest value.
/// - Isolation: None. Every member may be used from any thread and by any number of tasks.
/// - Cancellation: The recorder stops observing on ``cancel()``, or when its last reference is
///   released.
public final class StateRecorder<Value: Sendable>: Sendable {
  private struct Log {
    var states: [Value] = []
    var end: Result<Void, any Error>?
  }

  private let log: Monitor<Log>
  private let task: Task<Void, Never>

  /// Creates a recorder and starts the task that reads `source`.
  public init<Source: AsyncSequence & Sendable>(_ source: Source) where Source.Element == Value {
    let log = Monitor(Log())
    self.log = log
    task = Self.record(source, in: log)
  }

  /// All elements recorded so far.
  public var states: [Value] { log.snapshot.states }

  /// Returns the first element that satisfies the predicate, and waits for it if necessary.
  ///
  /// - Parameters:
  ///   - index: The index at which the search starts. Pass `states.count` to skip all recorded
  ///     elements.
  ///   - predicate: The condition that the element has to satisfy.
  /// - Throws: ``StreamFinishedEarly`` if the stream ends without such an element, the error of the
  ///   stream if it fails, or `CancellationError` if the calling task is cancelled.
  /// - Precondition: `index` is not negative.
  @discardableResult
  public func first(
    from index: Int = 0, where predicate: (Value) throws -> Bool
  ) async throws -> Value {
    precondition(index >= 0, "StateRecorder.first: the index must not be negative, but is \(index)")
    var next = index
    while true {
      let position = next
      let hasNews = await log.waitUnlessCancelled { $0.states.count > position || $0.end != nil }
      let log = log.snapshot
      guard position < log.states.count else {
        guard hasNews else { throw CancellationError() }
        try log.end?.get()
        throw StreamFinishedEarly(recorded: log.states.map { String(describing: $0) })
      }
      if try predicate(log.states[position]) { return log.states[position] }
      next += 1
    }
  }

  /// Waits until at least `count` elements are recorded, and returns all recorded elements.
  ///
  /// - Throws: The errors of ``first(from:where:)``.
  @discardableResult
  public func waitForStates(_ count: Int) async throws -> [Value] {
    if count > 0 { try await first(from: count - 1) { _ in true } }
    return states
  }

  /// Waits until the stream ends, and returns all recorded elements.
  ///
  /// - Throws: The error of the stream, or `CancellationError` if the calling task is cancelled.
  @discardableResult
  public func waitForEnd() async throws -> [Value] {
    guard await log.waitUnlessCancelled(until: { $0.end != nil }) else { throw CancellationError() }
    let log = log.snapshot
    try log.end?.get()
    return log.states
  }

  /// Stops observing the stream. The recorded elements stay.
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
