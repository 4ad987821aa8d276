import AsyncViewModels

extension ProfileClosureService {
  /// This service for a caller that has async/await. See ``withCompletionHandler(_:)`` for what it promises.
  public var asAsync: some ProfileService { AsyncProfile(base: self) }
}

extension ProfileService {
  /// This service for a caller that has completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)`` for what it promises.
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
    performAsync(completion: completion) { try await base.profile() }
  }
}
