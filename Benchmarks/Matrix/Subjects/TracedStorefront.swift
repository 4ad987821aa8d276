import AsyncViewModels
import StorefrontDomain

/// Services that answer at once, and log the trace of each request. Like a logger, they read the trace from the task.
struct TracedStorefront: Sendable {
  /// The trace of the current work, set by its caller.
  @TaskLocal static var trace: Int?

  let requests: AsyncStream<Int?>
  private let log: AsyncStream<Int?>.Continuation

  init() { (requests, log) = AsyncStream.makeStream() }

  private func answer<Answer>(_ answer: Answer) -> Answer {
    log.yield(Self.trace)
    return answer
  }

  private func answer<Answer>(
    _ answer: Answer, to completion: (Result<Answer, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(self.answer(answer)))
    return .ended
  }

  private static let ada = Profile(id: 1, name: "Ada", email: "ada@example.com")
  private static let emptyPage = Page<Product>(items: [], index: 0, isLast: true)
}

extension TracedStorefront: AsyncStorefront {
  func page(_ request: PageRequest) async throws -> Page<Product> { answer(Self.emptyPage) }
  func results(for query: String) async throws -> [SearchHit] { answer([]) }
  func apply(_ change: CartChange) async throws { answer(()) }
  func profile() async throws -> Profile { answer(Self.ada) }
  func orders() async throws -> [Order] { answer([]) }
  func recommendations() async throws -> [Product] { answer([]) }
}

extension TracedStorefront: ClosureStorefront {
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Product>, any Error>) -> Void
  ) -> CancellationToken { answer(Self.emptyPage, to: completion) }

  func results(
    for query: String, completion: @escaping @Sendable (Result<[SearchHit], any Error>) -> Void
  ) -> CancellationToken { answer([], to: completion) }

  func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken { answer((), to: completion) }

  func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken { answer(Self.ada, to: completion) }

  func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken { answer([], to: completion) }

  func recommendations(
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken { answer([], to: completion) }
}
