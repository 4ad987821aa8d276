public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain
import Synchronization

/// All storefront services in memory, with completion handlers. See ``InMemoryStorefront``.
///
/// - Isolation: None. Completion handlers are called asynchronously, on the queue of the
///   initializer. If the queue is serial, a call on it returns its token before the handler is
///   called.
/// - Cancellation: The handler receives `CancellationError`, unless the response arrived first.
public final class InMemoryClosureStorefront: Sendable {
  /// The data that the services return, before any change.
  public let contents: StorefrontContents
  /// The latencies and failures of the calls, their log, and the data that they have changed.
  public let script: StorefrontScript
  private let scheduler: any CallbackScheduler
  private let queue: DispatchQueue

  /// Creates the services. `scheduler` measures the latencies. Handlers are called on `queue`.
  public init(
    _ contents: StorefrontContents = StorefrontContents(), script: StorefrontScript = StorefrontScript(),
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), queue: DispatchQueue = .global()
  ) {
    self.contents = contents
    self.script = script
    self.scheduler = scheduler
    self.queue = queue
  }

  private func respond<Output: Sendable>(
    to call: StorefrontCall, _ response: @escaping @Sendable () throws -> Output,
    _ completion: @escaping @Sendable (Result<Output, any Error>) -> Void
  ) -> CancellationToken {
    let behavior = script.begin(call)
    let completion = SingleCompletion(completion)
    let wait = scheduler.schedule(after: behavior.latency, on: queue) {
      completion.complete {
        Result { try behavior.respond(with: response) }
      }
    }
    return CancellationToken { [queue] in
      wait.cancel()
      // Asynchronous: the caller of `cancel()` may hold a lock that the handler needs.
      queue.async { completion.complete { .failure(CancellationError()) } }
    }
  }
}

extension InMemoryClosureStorefront: PageClosureService {
  /// Returns one page of the products, by number.
  public func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    respond(to: .page(request), { [contents] in try contents.page(request) }, completion)
  }
}

extension InMemoryClosureStorefront: DetailClosureService {
  /// Returns the product with this id.
  public func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    respond(to: .product(id), { [contents] in try contents.product(id) }, completion)
  }
}

extension InMemoryClosureStorefront: SearchClosureService {
  /// Returns one page of the hits, by cursor. See ``InMemoryStorefront/results(for:page:)``.
  public func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<SearchHit>, any Error>) -> Void
  ) -> CancellationToken {
    respond(
      to: .search(query, page),
      { [script, contents] in try script.hits(for: query, page: page, in: contents) }, completion)
  }
}

extension InMemoryClosureStorefront: CartClosureService {
  /// Returns the cart.
  public func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    respond(to: .cart, { [script, contents] in script.cart(of: contents) }, completion)
  }

  /// Makes one change of the cart, or responds as it did to an earlier change with the same key.
  public func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    respond(
      to: .change(change), { [script, contents] in try script.apply(change, key: key, to: contents) },
      completion)
  }
}

extension InMemoryClosureStorefront: ProfileEditingClosureService {
  /// Returns the profile.
  public func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    respond(to: .profile, { [script, contents] in script.profile(of: contents) }, completion)
  }

  /// Replaces the given version of the profile with the draft.
  public func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    respond(
      to: .saveProfile(draft, basedOn: version),
      { [script, contents] in try script.save(draft, basedOn: version, in: contents) }, completion)
  }
}

extension InMemoryClosureStorefront: PostClosureService {
  /// Returns a page of the posts, newest first, by cursor.
  public func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    respond(to: .posts, { [script, contents] in try script.posts(page, of: contents) }, completion)
  }

  /// Deletes a post.
  public func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    respond(to: .deletePost(id), { [script, contents] in try script.delete(id, of: contents) }, completion)
  }

  /// Restores a deleted post at its place.
  public func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    respond(to: .restorePost(id), { [script, contents] in try script.restore(id, of: contents) }, completion)
  }
}

extension InMemoryClosureStorefront: OrderClosureService {
  /// Returns the shopper's orders, newest first.
  public func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken {
    respond(to: .orders, { [contents] in contents.orders }, completion)
  }
}

extension InMemoryClosureStorefront: RecommendationClosureService {
  /// Returns the recommended products, best first.
  public func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken {
    respond(to: .recommendations, { [contents] in contents.recommendations }, completion)
  }
}

/// A completion handler that is called at most once, with the first result.
final class SingleCompletion<Value: Sendable>: Sendable {
  private let handler: Mutex<(@Sendable (Result<Value, any Error>) -> Void)?>

  init(_ handler: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    self.handler = Mutex(handler)
  }

  /// Calls the handler with the result, if it was not called before.
  func complete(with result: () -> Result<Value, any Error>) {
    guard let handler = handler.withLock({ $0.take() }) else { return }
    handler(result())
  }
}
