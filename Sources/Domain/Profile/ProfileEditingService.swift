public import AsyncViewModels

/// A service that loads and saves the profile of the signed-in user.
public protocol ProfileEditingService: ProfileService {
  /// Replaces the given version of the profile with the draft, completely or not at all.
  ///
  /// - Returns: The saved profile, with its new version.
  /// - Throws: ``ProfileError`` if that is not the current version or a value breaks a rule.
  ///   `CancellationError` if the task is cancelled before the response arrives: the draft may have been
  ///   saved or not. Otherwise the reason that the service did not answer, usually a ``ServiceError``.
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile
}

/// ``ProfileEditingService`` with a completion handler.
public protocol ProfileEditingClosureService: ProfileClosureService {
  /// Replaces the given version of the profile with the draft, completely or not at all.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation it gets an error that
  /// reports the cancellation, unless the response arrived first. Releasing the token cancels the request.
  /// ``/AsyncViewModels/runToCompletion(_:completion:)`` keeps the token until the response arrives.
  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken
}

extension ProfileEditingClosureService {
  /// This service with async/await. See ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some ProfileEditingService { AsyncProfileEditing(base: self) }
}

extension ProfileEditingService {
  /// This service with completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)``.
  public var asClosure: some ProfileEditingClosureService { ClosureProfileEditing(base: self) }
}

private struct AsyncProfileEditing<Base: ProfileEditingClosureService>: ProfileEditingService {
  let base: Base

  func profile() async throws -> Profile {
    try await withCompletionHandler { base.profile(completion: $0) }
  }
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    try await withCompletionHandler { base.save(draft, basedOn: version, completion: $0) }
  }
}

private struct ClosureProfileEditing<Base: ProfileEditingService>: ProfileEditingClosureService {
  let base: Base

  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    performAsync(completion: completion) { try await base.profile() }
  }
  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion) { try await base.save(draft, basedOn: version) }
  }
}
