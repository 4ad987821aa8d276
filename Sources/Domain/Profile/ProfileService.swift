public import AsyncViewModels

/// A service that returns the profile of the signed-in user.
public protocol ProfileService: Sendable {
  /// Loads the profile of the signed-in user.
  func profile() async throws -> Profile
}

/// The completion-handler form of ``ProfileService``. See ``PageClosureService`` for the calls.
public protocol ProfileClosureService: Sendable {
  /// Loads the profile of the signed-in user.
  func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken
}

extension ProfileClosureService {
  /// The async form of this service.
  public var asAsync: some ProfileService { AsyncProfile(base: self) }
}

extension ProfileService {
  /// The completion-handler form of this service.
  public var asClosure: some ProfileClosureService { ClosureProfile(base: self) }
}

private struct AsyncProfile<Base: ProfileClosureService>: ProfileService {
  let base: Base

  func profile() async throws -> Profile {
    try await withCompletionHandler { base.profile(completion: $0) }
  }
}

private struct ClosureProfile<Base: ProfileService>: ProfileClosureService {
  let base: Base

  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    performForAccount(completion: completion) { try await base.profile() }
  }
}
