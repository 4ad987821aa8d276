public import AsyncViewModels

/// A service that returns the profile of the signed-in user.
public protocol ProfileService: Sendable {
  /// Loads the profile of the signed-in user.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the response arrives. Otherwise the reason
  ///   that the service did not answer, usually a ``ServiceError``.
  func profile() async throws -> Profile
}

/// ``ProfileService`` with a completion handler.
public protocol ProfileClosureService: Sendable {
  /// Loads the profile of the signed-in user.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation it gets an error that
  /// reports the cancellation, unless the response arrived first. Releasing the token cancels the request.
  func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken
}

extension ProfileClosureService {
  /// This service with async/await. See ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some ProfileService { AsyncProfile(base: self) }
}

extension ProfileService {
  /// This service with completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)``.
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
