public import AsyncViewModels

/// ``ProfileEditingService`` with a completion handler.
public protocol ProfileEditingClosureService: ProfileClosureService {
  /// Saves the draft in place of the edition that it is based on, as a whole or not at all.
  ///
  /// `completion` is called exactly once, on no particular queue: after a cancellation too, with an error whose
  /// `isCancellation` is true (unless the answer came first). The request is cancelled when the token goes away:
  /// keep it, or see ``runToCompletion(_:completion:)``.
  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken
}
