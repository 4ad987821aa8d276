public import AsyncViewModels

/// ``SearchService`` with a completion handler.
public protocol SearchClosureService<Hit>: Sendable {
  associatedtype Hit: Sendable

  /// What matches `query`, the best first; nothing that matches is an empty answer, and no error.
  ///
  /// `completion` is called exactly once, on no particular queue: after a cancellation too, with an error whose
  /// `isCancellation` is true (unless the answer came first). The request is cancelled when the token goes away:
  /// keep it.
  func results(
    for query: String, completion: @escaping @Sendable (Result<[Hit], any Error>) -> Void
  ) -> CancellationToken
}
