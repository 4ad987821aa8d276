/// Keeps the profile of whoever is signed in, and lets them change it.
public protocol ProfileEditingService: ProfileService {
  /// Saves the draft in place of the edition that it is based on, as a whole or not at all.
  ///
  /// - Returns: the profile as it is now, in its new edition.
  /// - Throws: a ``ProfileError`` where the profile has moved on, or a value breaks a rule; `CancellationError` where the task
  ///   was cancelled before the answer came, and nobody knows then whether it was saved; else what kept the service from
  ///   answering, as a rule a ``ServiceError``.
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile
}
