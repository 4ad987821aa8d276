package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// A profile service with async functions and completion handlers. The test supplies the answers.
package struct ScriptedProfileService: ProfileService, ProfileClosureService {
  package let calls: ScriptedCalls<Void, Profile>

  package init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  package func profile() async throws -> Profile { try await calls(()) }

  package func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    calls((), completion: completion)
  }
}
