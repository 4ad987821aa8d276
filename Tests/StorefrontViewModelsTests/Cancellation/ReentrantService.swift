import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import Synchronization

/// A service that looks at the screen when it is called off: what it does then is its own business.
///
/// It is asked and called off, and either never answers, or at once and without a word to its token that there is nothing left to
/// be called off.
final class ReentrantService: Sendable {
  private let answersAtOnce: Bool
  private let look = Mutex<(@Sendable () -> Void)?>(nil)
  private let answer = Gate()
  private let questions = EventChannel<Void>()
  private let looks = EventChannel<Void>()

  init(answeringAtOnce: Bool = false) { answersAtOnce = answeringAtOnce }

  /// How many times it has looked that nobody has waited for.
  var lookCount: Int { looks.keptCount }

  func whenCalledOff(_ look: (@Sendable () -> Void)?) { self.look.withLock { $0 = look } }

  /// Returns when it has been asked once more.
  func waitForQuestion() async { for await _ in questions.events() { return } }

  /// Returns when it has looked once more.
  func waitForLook() async { for await _ in looks.events() { return } }

  func ask<Answer>(_ answer: Answer) async throws -> Answer {
    questions.keepForFirstObserver(())
    if answersAtOnce { return answer }
    return try await withTaskCancellationHandler {
      try await self.answer.waitUnlessCancelled()
      return answer
    } onCancel: {
      lookAround()
    }
  }

  func ask<Answer>(
    _ answer: Answer, _ completion: @Sendable (Result<Answer, any Error>) -> Void
  ) -> CancellationToken {
    questions.keepForFirstObserver(())
    if answersAtOnce { completion(.success(answer)) }
    return CancellationToken { self.lookAround() }
  }

  private func lookAround() {
    look.withLock { $0 }?()
    looks.keepForFirstObserver(())
  }
}

extension ReentrantService: PageService, PageClosureService {
  func page(_ request: PageRequest) async throws -> Page<Row> { try await ask(.rows(1...2, isLast: true)) }
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Row>, any Error>) -> Void
  ) -> CancellationToken { ask(.rows(1...2, isLast: true), completion) }
}

extension ReentrantService: SearchService, SearchClosureService {
  func results(for query: String) async throws -> [Row] { try await ask([]) }
  func results(
    for query: String, completion: @escaping @Sendable (Result<[Row], any Error>) -> Void
  ) -> CancellationToken { ask([], completion) }
}

extension ReentrantService: PostService, PostClosureService {
  func posts() async throws -> [Post] { try await ask([]) }
  func posts(completion: @escaping @Sendable (Result<[Post], any Error>) -> Void) -> CancellationToken {
    ask([], completion)
  }
  func delete(_ id: Post.ID) async throws { try await ask(()) }
  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken { ask((), completion) }
}

extension ReentrantService: DetailService, DetailClosureService {
  func detail(of id: Int) async throws -> Row { try await ask(Row(id: id)) }
  func detail(
    of id: Int, completion: @escaping @Sendable (Result<Row, any Error>) -> Void
  ) -> CancellationToken { ask(Row(id: id), completion) }
}

extension ReentrantService: ProfileService, ProfileClosureService {
  func profile() async throws -> Profile { try await ask(.ada) }
  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    ask(.ada, completion)
  }
}

extension ReentrantService: ProfileEditingService, ProfileEditingClosureService {
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile { try await ask(.ada) }
  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken { ask(.ada, completion) }
}

extension ReentrantService: OrderService, OrderClosureService {
  func orders() async throws -> [Order] { try await ask([]) }
  func orders(completion: @escaping @Sendable (Result<[Order], any Error>) -> Void) -> CancellationToken {
    ask([], completion)
  }
}

extension ReentrantService: RecommendationService, RecommendationClosureService {
  func recommendations() async throws -> [Product] { try await ask([]) }
  func recommendations(
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken { ask([], completion) }
}
