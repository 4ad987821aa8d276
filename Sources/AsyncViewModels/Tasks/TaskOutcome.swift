import Foundation

/// How asynchronous work ended: with a value, with an error, or by cancellation.
///
/// Cancellation is a separate case, so that a view model does not show it to the user as an error.
public enum TaskOutcome<Success> {
  /// The work returned a value.
  case success(Success)
  /// The work threw an error that is not a cancellation.
  case failure(any Error)
  /// The work was cancelled.
  case cancelled
}

extension TaskOutcome: Sendable where Success: Sendable {}

extension TaskOutcome {
  /// Creates ``cancelled`` from an error that reports a cancellation, and ``failure(_:)`` from any
  /// other error.
  ///
  /// `CancellationError`, `URLError.cancelled` and `CocoaError.userCancelled` report a
  /// cancellation.
  @export(implementation)
  public init(error: any Error) {
    self = error.isCancellation ? .cancelled : .failure(error)
  }

  /// Creates an outcome from the result of a completion handler.
  public init(_ result: Result<Success, any Error>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = TaskOutcome(error: error)
    }
  }

  /// Runs `work` and captures its outcome.
  @export(implementation)
  nonisolated(nonsending)
    public init(of work: nonisolated(nonsending) () async throws -> Success) async
  {
    do { self = .success(try await work()) } catch { self = TaskOutcome(error: error) }
  }

  /// Transforms the value of ``success(_:)``.
  public func map<Other>(_ transform: (Success) -> Other) -> TaskOutcome<Other> {
    switch self {
    case .success(let value): .success(transform(value))
    case .failure(let error): .failure(error)
    case .cancelled: .cancelled
    }
  }

  /// The value of ``success(_:)``, otherwise `nil`.
  public var value: Success? {
    if case .success(let value) = self { value } else { nil }
  }
}

extension Error {
  /// Whether this error reports a cancellation. Apps often declare a property with this name, so
  /// this property is not public.
  @usableFromInline package var isCancellation: Bool {
    switch self {
    case is CancellationError: true
    case let error as URLError where error.code == .cancelled: true
    case let error as CocoaError where error.code == .userCancelled: true
    default: isCancelledRequest(self)
    }
  }
}

/// Whether `error` is a cancelled URL request that was not recognized as a `URLError`. Outside
/// Apple platforms, an `NSError` in `NSURLErrorDomain` casts to `CocoaError` instead of `URLError`.
private func isCancelledRequest(_ error: Any) -> Bool {
  guard let error = error as? NSError else { return false }
  return error.domain == NSURLErrorDomain && error.code == NSURLErrorCancelled
}
