public import AsyncViewModels

/// A service that loads and saves the profile of the signed-in user.
public protocol ProfileEditingService: ProfileService {
  /// Replaces the given version of the profile with the draft, completely or not at all.
  ///
  /// - Returns: The saved profile, with its new version.
  /// - Throws: ``ProfileError`` if `version` is not the current version, or if a value breaks a
  ///   rule. After a cancellation, the outcome is unknown.
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile
}

/// The completion-handler form of ``ProfileEditingService``. See ``PageClosureService`` for the
/// calls.
public protocol ProfileEditingClosureService: ProfileClosureService {
  /// Replaces a version of the profile. See ``ProfileEditingService/save(_:basedOn:)``.
  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken
}

extension ProfileEditingClosureService {
  /// The async form of this service.
  public var asAsync: some ProfileEditingService { AsyncProfileEditing(base: self) }
}

extension ProfileEditingService {
  /// The completion-handler form of this service.
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
    performForAccount(completion: completion) { try await base.profile() }
  }
  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    performForAccount(completion: completion) { try await base.save(draft, basedOn: version) }
  }
}
