public import AsyncViewModels

/// ``DetailService`` with a completion handler.
public protocol DetailClosureService<Detail>: Sendable {
  associatedtype Detail: Sendable & Identifiable

  /// The item with this id; ``ServiceError/notFound(_:)`` with the name of what there is not.
  ///
  /// `completion` is called exactly once, on no particular queue: after a cancellation too, with an error whose
  /// `isCancellation` is true (unless the answer came first). The request is cancelled when the token goes away:
  /// keep it.
  func detail(
    of id: Detail.ID, completion: @escaping @Sendable (Result<Detail, any Error>) -> Void
  ) -> CancellationToken
}
