public import AsyncViewModels

/// ``PageService`` with a completion handler.
public protocol PageClosureService<Item>: Sendable {
  associatedtype Item: Sendable

  /// The page that `request` asks for; past the end an empty last page, which is no error.
  ///
  /// `completion` is called exactly once, on no particular queue: after a cancellation too, with an error whose
  /// `isCancellation` is true (unless the answer came first). The request is cancelled when the token goes away:
  /// keep it.
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Item>, any Error>) -> Void
  ) -> CancellationToken
}
