import Foundation

/// How a piece of asynchronous work ended. Cancellation is an ending of its own, never an error that a person
/// is shown.
public enum TaskOutcome<Success> {
  case success(Success)
  case failure(any Error)
  case cancelled
}

extension TaskOutcome: Sendable where Success: Sendable {}

extension TaskOutcome {
  /// Sorts an error into ``failure(_:)`` or ``cancelled``: see ``Swift/Error/isCancellation``.
  @inlinable
  public init(error: any Error) {
    self = error.isCancellation ? .cancelled : .failure(error)
  }

  /// Sorts a completion handler's result.
  public init(_ result: Result<Success, any Error>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = TaskOutcome(error: error)
    }
  }

  /// Runs `work` and sorts what came of it.
  @inlinable
  nonisolated(nonsending)
    public init(of work: nonisolated(nonsending) () async throws -> Success) async
  {
    do { self = .success(try await work()) } catch { self = TaskOutcome(error: error) }
  }

  /// The value, where there is one.
  public var value: Success? {
    if case .success(let value) = self { value } else { nil }
  }
}

extension Error {
  /// Whether this error only says that somebody called the work off: `CancellationError`, `URLError.cancelled`,
  /// or the `CocoaError` of a user who cancelled.
  public var isCancellation: Bool {
    switch self {
    case is CancellationError: true
    case let error as URLError where error.code == .cancelled: true
    case let error as CocoaError where error.code == .userCancelled: true
    default: isCancelledRequest(self)
    }
  }
}

/// Away from Apple's platforms, an `NSError` of that domain casts to `CocoaError` rather than to `URLError`.
private func isCancelledRequest(_ error: Any) -> Bool {
  guard let error = error as? NSError else { return false }
  return error.domain == NSURLErrorDomain && error.code == NSURLErrorCancelled
}
