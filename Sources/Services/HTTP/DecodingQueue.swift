import AsyncViewModels
import Dispatch
import Synchronization

/// Decodes long bodies one at a time, on a thread that runs no async code.
///
/// Decoding cannot be interrupted. On the few threads that all tasks share, long bodies would delay
/// other tasks, deadlines and cancellations.
final class DecodingQueue: Sendable {
  /// The most bytes that the calling task decodes itself, in a few milliseconds.
  static let shortLength = 32 << 10

  private let queue = DispatchQueue(label: "DecodingQueue")

  /// Runs `decode`, which decodes a body of this length.
  ///
  /// - Cancellation: Throws `CancellationError` at once. `decode` does not start after that.
  func run<Value: Sendable>(
    bodyLength: Int, _ decode: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    guard bodyLength > Self.shortLength else { return try decode() }
    let pending = Pending(decode)
    // Before the work is enqueued, so that the work does not start after a cancellation.
    return try await withTaskCancellationHandler {
      try await withCompletionHandler { completion in
        queue.async { if let decode = pending.take() { completion(Result(catching: decode)) } }
        return CancellationToken {}
      }
    } onCancel: {
      _ = pending.take()
    }
  }

  /// Work that starts at most once, and not after a cancellation.
  private final class Pending<Value: Sendable>: Sendable {
    typealias Work = @Sendable () throws -> Value

    private let work: Mutex<Work?>

    init(_ work: @escaping Work) { self.work = Mutex(work) }

    func take() -> Work? { work.withLock { $0.take() } }
  }
}
