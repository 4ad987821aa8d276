public import AsyncViewModels
public import AsyncViewModelsTesting
public import StorefrontDomain

/// A profile service whose answers the test gives, in both forms.
public struct ScriptedProfileService: ProfileService, ProfileClosureService {
  public let calls: ScriptedCalls<Void, Profile>

  public init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  public func profile() async throws -> Profile { try await calls(()) }

  public func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    calls((), completion: completion)
  }
}
