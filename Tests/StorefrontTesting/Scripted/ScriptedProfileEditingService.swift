package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain
package import StorefrontViewModels

/// A profile service that can save, with async functions and completion handlers. The test supplies the
/// answers.
package struct ScriptedProfileEditingService: ProfileEditingService, ProfileEditingClosureService {
  package let loads: ScriptedCalls<Void, Profile>
  package let saves: ScriptedCalls<ProfileSave, Profile>

  package init(ignoringCancellation: Bool = false) {
    loads = ScriptedCalls(ignoringCancellation: ignoringCancellation)
    saves = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func profile() async throws -> Profile { try await loads(()) }

  package func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    loads((), completion: completion)
  }

  package func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    try await saves(ProfileSave(draft: draft, version: version))
  }

  package func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    saves(ProfileSave(draft: draft, version: version), completion: completion)
  }
}
