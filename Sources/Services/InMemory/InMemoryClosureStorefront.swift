public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// A storefront's services without a network, with completion handlers: as slow, and as broken, as its script says.
///
/// - Isolation: none. Completion handlers run on the queue that the initialiser takes, never within the call. Where that is not the
///   caller's own serial queue, a handler may run before the call has returned its token.
/// - Errors: those of the script; for what a server would not have ``CartError``, ``ProfileError`` or ``PostError``, as over
///   HTTP.
/// - Cancellation: the handler gets `CancellationError`, and the call has had no effect, unless the answer came first.
public final class InMemoryClosureStorefront: Sendable {
  public let contents: StorefrontContents
  public let script: StorefrontScript
  private let scheduler: any CallbackScheduler
  private let queue: DispatchQueue

  /// Latencies of the script pass on `scheduler`.
  public init(
    _ contents: StorefrontContents = StorefrontContents(), script: StorefrontScript = StorefrontScript(),
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), queue: DispatchQueue = .global()
  ) {
    self.contents = contents
    self.script = script
    self.scheduler = scheduler
    self.queue = queue
  }

  private func answer<Answer: Sendable>(
    _ call: StorefrontCall, _ answer: @escaping @Sendable () throws -> Answer,
    _ completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
  ) -> CancellationToken {
    let course = script.begin(call)
    let completion = SingleCompletion(completion)
    let wait = scheduler.schedule(after: course.latency, on: queue) {
      completion.complete {
        Result {
          if let error = course.error { throw error }
          return try answer()
        }
      }
    }
    return CancellationToken { [queue] in
      wait.cancel()
      // Not on this thread: whoever cancels may hold what the handler is going to need.
      queue.async { completion.complete { .failure(CancellationError()) } }
    }
  }
}

extension InMemoryClosureStorefront: PageClosureService {
  public func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Product>, any Error>) -> Void
  ) -> CancellationToken {
    answer(.page(request), { [contents] in Page(request, of: contents.products) }, completion)
  }
}

extension InMemoryClosureStorefront: DetailClosureService {
  public func detail(
    of id: Product.ID, completion: @escaping @Sendable (Result<Product, any Error>) -> Void
  ) -> CancellationToken {
    answer(.product(id), { [contents] in try contents.product(id) }, completion)
  }
}

extension InMemoryClosureStorefront: SearchClosureService {
  public func results(
    for query: String, completion: @escaping @Sendable (Result<[SearchHit], any Error>) -> Void
  ) -> CancellationToken {
    answer(.search(query), { [contents] in contents.hits(for: query) }, completion)
  }
}

extension InMemoryClosureStorefront: CartClosureService {
  public func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    answer(.change(change), { [script, contents] in try script.apply(change, to: contents) }, completion)
  }
}

extension InMemoryClosureStorefront: ProfileEditingClosureService {
  public func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    answer(.profile, { [script, contents] in script.profile(of: contents) }, completion)
  }

  public func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    answer(
      .saveProfile(draft, basedOn: version),
      { [script, contents] in try script.save(draft, basedOn: version, in: contents) }, completion)
  }
}

extension InMemoryClosureStorefront: PostClosureService {
  public func posts(
    completion: @escaping @Sendable (Result<[Post], any Error>) -> Void
  ) -> CancellationToken {
    answer(.posts, { [script, contents] in script.posts(of: contents) }, completion)
  }

  public func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    answer(.deletePost(id), { [script, contents] in try script.delete(id, of: contents) }, completion)
  }
}

extension InMemoryClosureStorefront: OrderClosureService {
  public func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken {
    answer(.orders, { [contents] in contents.orders }, completion)
  }
}

extension InMemoryClosureStorefront: RecommendationClosureService {
  public func recommendations(
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken {
    answer(.recommendations, { [contents] in contents.recommendations }, completion)
  }
}
