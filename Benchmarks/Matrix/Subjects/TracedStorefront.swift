import AsyncViewModels
import StorefrontDomain

/// Services that answer at once, and log each request. Like a logger, they read the trace from the task.
struct TracedStorefront: Sendable {
  /// The trace of the current work, set by its caller.
  @TaskLocal static var trace: Int?

  struct Request: Sendable {
    let trace: Int?
    /// Whether the request starts in the task that created the services: on the stack of a function that the task called, or after
    /// an await of the task.
    let isInCaller: Bool
  }

  let requests: AsyncStream<Request>
  private let log: AsyncStream<Request>.Continuation
  private let caller = currentTask

  init() { (requests, log) = AsyncStream.makeStream() }

  /// Identifies the current task: `nil` on a thread of a queue that runs no task. The task of the caller lives as long as the
  /// probe, so no other task has its identity.
  private static var currentTask: Int? { unsafe withUnsafeCurrentTask { unsafe $0?.hashValue } }

  private func answer<Answer>(_ answer: Answer) -> Answer {
    log.yield(Request(trace: Self.trace, isInCaller: caller != nil && caller == Self.currentTask))
    return answer
  }

  private func answer<Answer>(
    _ answer: Answer, to completion: (Result<Answer, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(self.answer(answer)))
    return .finished
  }

  private static let ada = Profile(id: 1, name: "Ada", email: "ada@example.com")
  private static let emptyPage = Page<CatalogProduct>(items: [], index: 0, isLast: true)
  private static let noHits = Page<SearchHit>(items: [], next: nil)
}

extension TracedStorefront: PageService, SearchService, CartService, ProfileService, OrderService,
  RecommendationService, PostService
{
  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> { answer(Self.emptyPage) }
  func results(for query: String, page: PageRequest) async throws -> Page<SearchHit> {
    answer(Self.noHits)
  }
  func cart() async throws -> Cart { answer(Cart()) }
  func apply(_ change: CartChange, key: IdempotencyKey) async throws { answer(()) }
  func profile() async throws -> Profile { answer(Self.ada) }
  func orders() async throws -> [Order] { answer([]) }
  func recommendations() async throws -> [CatalogProduct] { answer([]) }
  func posts(_ page: PageRequest) async throws -> Page<Post> { answer(Page(items: [], next: nil)) }
  func delete(_ id: Post.ID) async throws { answer(()) }
  func restore(_ id: Post.ID) async throws { answer(()) }
}

extension TracedStorefront: PageClosureService, SearchClosureService, CartClosureService,
  ProfileClosureService,
  OrderClosureService, RecommendationClosureService, PostClosureService
{
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken { answer(Self.emptyPage, to: completion) }

  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<SearchHit>, any Error>) -> Void
  ) -> CancellationToken { answer(Self.noHits, to: completion) }

  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    answer(Cart(), to: completion)
  }

  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken { answer((), to: completion) }

  func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken { answer(Self.ada, to: completion) }

  func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken { answer([], to: completion) }

  func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken { answer([], to: completion) }

  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    answer(Page(items: [], next: nil), to: completion)
  }

  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken { answer((), to: completion) }

  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken { answer((), to: completion) }
}
