public import AsyncViewModels

/// A service that returns the profile of the signed-in user.
public protocol ProfileService: Sendable {
  /// Loads the profile of the signed-in user.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the response arrives. In all other cases,
  ///   the error of the request, usually a ``ServiceError``.
  func profile() async throws -> Profile
}

/// The completion-handler form of ``ProfileService``.
public protocol ProfileClosureService: Sendable {
  /// Loads the profile of the signed-in user.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion` receives an
  /// error that reports the cancellation, unless the response arrived first. Cancelling or releasing the token
  /// cancels the request.
  func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken
}

extension ProfileClosureService {
  /// The async form of this service. It calls the service through
  /// ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some ProfileService { AsyncProfile(base: self) }
}

extension ProfileService {
  /// The completion-handler form of this service. It calls the service through
  /// ``/AsyncViewModels/performAsync(completion:on:_:)``.
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
