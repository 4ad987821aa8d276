public import AsyncViewModels
public import AsyncViewModelsTesting
public import StorefrontDomain
public import StorefrontViewModels

/// A profile service that can save, and whose answers the test gives, in both forms.
public struct ScriptedProfileEditingService: ProfileEditingService, ProfileEditingClosureService {
  public let loads: ScriptedCalls<Void, Profile>
  public let saves: ScriptedCalls<ProfileSave, Profile>

  public init(ignoringCancellation: Bool = false) {
    loads = ScriptedCalls(ignoringCancellation: ignoringCancellation)
    saves = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  public func profile() async throws -> Profile { try await loads(()) }

  public func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    loads((), completion: completion)
  }

  public func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    try await saves(ProfileSave(draft: draft, version: version))
  }

  public func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    saves(ProfileSave(draft: draft, version: version), completion: completion)
  }
}
