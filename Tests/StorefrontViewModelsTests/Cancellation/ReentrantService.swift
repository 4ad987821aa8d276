import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import Synchronization

/// A service that reads the view model's state in its cancellation handler.
///
/// The service answers its requests when a test calls ``answer()``. With `answeringAtOnce`, it answers each request at once, before
/// the request returns a token. The service never finishes its tokens, so a view model has to finish the token of an answered
/// request. Otherwise, the release of the token calls the handler.
final class ReentrantService: Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)
  private let answers = Gate()
  /// The completion handlers of the requests in progress, or `nil` after ``answer()``.
  private let completions = Mutex<[@Sendable () -> Void]?>([])
  private let requests = EventChannel<Void>()
  private let cancellations = EventChannel<Void>()

  init(answeringAtOnce: Bool = false) {
    if answeringAtOnce { answer() }
  }

  /// The number of cancellations that no call of ``waitForCancellation()`` has consumed.
  var cancellationCount: Int { cancellations.keptCount }

  /// Sets the handler that each later cancellation calls.
  func onCancel(_ handler: (@Sendable () -> Void)?) { self.handler.withLock { $0 = handler } }

  /// Waits for one request.
  func waitForRequest() async { for await _ in requests.events() { return } }

  /// Waits for one cancellation.
  func waitForCancellation() async { for await _ in cancellations.events() { return } }

  /// Answers all requests in progress, cancelled ones included, and every later one.
  func answer() {
    answers.open()
    for completion in completions.withLock({ $0.take() }) ?? [] { completion() }
  }

  func reply<Answer: Sendable>(_ answer: Answer) async throws -> Answer {
    requests.keepForFirstObserver(())
    return try await withTaskCancellationHandler {
      try await answers.waitUnlessCancelled()
      return answer
    } onCancel: {
      handleCancellation()
    }
  }

  func reply<Answer: Sendable>(
    _ answer: Answer, _ completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
  ) -> CancellationToken {
    let isPending = completions.withLock { completions in
      completions?.append { completion(.success(answer)) }
      return completions != nil
    }
    if !isPending { completion(.success(answer)) }
    requests.keepForFirstObserver(())
    return CancellationToken { self.handleCancellation() }
  }

  private func handleCancellation() {
    handler.withLock { $0 }?()
    cancellations.keepForFirstObserver(())
  }
}

extension ReentrantService: PageService, PageClosureService {
  func page(_ request: PageRequest) async throws -> Page<Row> { try await reply(.rows(1...2, isLast: true)) }
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Row>, any Error>) -> Void
  ) -> CancellationToken { reply(.rows(1...2, isLast: true), completion) }
}

extension ReentrantService: SearchService, SearchClosureService {
  func results(for query: String) async throws -> [Row] { try await reply([]) }
  func results(
    for query: String, completion: @escaping @Sendable (Result<[Row], any Error>) -> Void
  ) -> CancellationToken { reply([], completion) }
}

extension ReentrantService: PostService, PostClosureService {
  func posts() async throws -> [Post] { try await reply([]) }
  func posts(completion: @escaping @Sendable (Result<[Post], any Error>) -> Void) -> CancellationToken {
    reply([], completion)
  }
  func delete(_ id: Post.ID) async throws { try await reply(()) }
  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken { reply((), completion) }
}

extension ReentrantService: DetailService, DetailClosureService {
  func detail(of id: Int) async throws -> Row { try await reply(Row(id: id)) }
  func detail(
    of id: Int, completion: @escaping @Sendable (Result<Row, any Error>) -> Void
  ) -> CancellationToken { reply(Row(id: id), completion) }
}

extension ReentrantService: ProfileService, ProfileClosureService {
  func profile() async throws -> Profile { try await reply(.ada) }
  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    reply(.ada, completion)
  }
}

extension ReentrantService: ProfileEditingService, ProfileEditingClosureService {
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile { try await reply(.ada) }
  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken { reply(.ada, completion) }
}

extension ReentrantService: OrderService, OrderClosureService {
  func orders() async throws -> [Order] { try await reply([]) }
  func orders(completion: @escaping @Sendable (Result<[Order], any Error>) -> Void) -> CancellationToken {
    reply([], completion)
  }
}

extension ReentrantService: RecommendationService, RecommendationClosureService {
  func recommendations() async throws -> [Product] { try await reply([]) }
  func recommendations(
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken { reply([], completion) }
}
