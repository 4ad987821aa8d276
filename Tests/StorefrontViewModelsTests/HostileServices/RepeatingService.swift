import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import Synchronization

/// A service with completion handlers that calls every handler again with each answer.
final class RepeatingService: Sendable {
  private let answers = Mutex<[@Sendable () -> Void]>([])

  /// Waits until there were at least `count` requests, and answers all requests, also those that were answered before.
  func answer(_ count: Int) async throws {
    try await until { answers.withLock { $0.count } >= count }
    for answer in answers.withLock({ $0 }) { answer() }
  }

  private func keep<Value: Sendable>(
    _ value: Value, for completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> CancellationToken {
    answers.withLock { $0.append { completion(.success(value)) } }
    return .ended
  }
}

extension RepeatingService: ProfileEditingService, ProfileEditingClosureService {
  func profile() async throws -> Profile { .ada }
  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    keep(.ada, for: completion)
  }
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile { .ada }
  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken { keep(.ada, for: completion) }
}

extension RepeatingService: PostService, PostClosureService {
  func posts() async throws -> [Post] { .numbered(1...3) }
  func posts(completion: @escaping @Sendable (Result<[Post], any Error>) -> Void) -> CancellationToken {
    keep(.numbered(1...3), for: completion)
  }
  func delete(_ id: Post.ID) async throws {}
  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken { keep((), for: completion) }
}
