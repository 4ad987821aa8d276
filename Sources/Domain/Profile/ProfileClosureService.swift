public import AsyncViewModels

/// ``ProfileService`` with a completion handler.
public protocol ProfileClosureService: Sendable {
  /// The profile of whoever is signed in.
  ///
  /// `completion` is called exactly once, on no particular queue: after a cancellation too, with an error whose
  /// `isCancellation` is true (unless the answer came first). The request is cancelled when the token goes away:
  /// keep it.
  func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken
}
