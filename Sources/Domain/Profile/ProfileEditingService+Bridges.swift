import AsyncViewModels

extension ProfileEditingClosureService {
  /// This service for a caller that has async/await. See ``withCompletionHandler(_:)`` for what it promises.
  public var asAsync: some ProfileEditingService { AsyncProfileEditing(base: self) }
}

extension ProfileEditingService {
  /// This service for a caller that has completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)`` for what it promises.
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
