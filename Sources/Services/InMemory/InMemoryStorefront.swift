public import StorefrontDomain

/// All storefront services in memory, with a script of latencies and failures.
///
/// - Isolation: None. A call without latency does not leave the caller's actor.
/// - Errors: The errors of the script. A request that a server would reject fails as over HTTP:
///   with a ``/StorefrontDomain/ServiceError``, ``/StorefrontDomain/CartError``,
///   ``/StorefrontDomain/ProfileError`` or ``/StorefrontDomain/PostError``.
/// - Cancellation: A cancelled call throws `CancellationError` without waiting for its latency. It
///   changes no data, but is logged and uses up a scripted failure.
public final class InMemoryStorefront: Sendable {
  /// The data that the services return, before any change.
  public let contents: StorefrontContents
  /// The latencies and failures of the calls, their log, and the data that they have changed.
  public let script: StorefrontScript
  private let clock: any Clock<Duration>

  /// Creates the services. `clock` measures the latencies.
  public init(
    _ contents: StorefrontContents = StorefrontContents(), script: StorefrontScript = StorefrontScript(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.contents = contents
    self.script = script
    self.clock = clock
  }

  private func respond<Output>(
    to call: StorefrontCall, with response: () throws -> Output
  ) async throws -> Output {
    let behavior = script.begin(call)
    if behavior.latency > .zero { try await clock.sleep(for: behavior.latency) }
    try Task.checkCancellation()
    return try behavior.respond(with: response)
  }
}

extension InMemoryStorefront: PageService {
  /// Returns one page of the products, by number.
  public func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    try await respond(to: .page(request)) { try contents.page(request) }
  }
}

extension InMemoryStorefront: DetailService {
  /// Returns the product with this id.
  public func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct {
    try await respond(to: .product(id)) { try contents.product(id) }
  }
}

extension InMemoryStorefront: SearchService {
  /// Returns one page of the products whose names contain the query, by cursor, ignoring case.
  public func results(for query: String, page: PageRequest) async throws -> Page<SearchHit> {
    try await respond(to: .search(query, page)) { try script.hits(for: query, page: page, in: contents) }
  }
}

extension InMemoryStorefront: CartService {
  /// Returns the cart.
  public func cart() async throws -> Cart {
    try await respond(to: .cart) { script.cart(of: contents) }
  }

  /// Makes one change of the cart, or responds as it did to an earlier change with the same key.
  public func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    try await respond(to: .change(change)) { try script.apply(change, key: key, to: contents) }
  }
}

extension InMemoryStorefront: ProfileEditingService {
  /// Returns the profile.
  public func profile() async throws -> Profile {
    try await respond(to: .profile) { script.profile(of: contents) }
  }

  /// Replaces the given version of the profile with the draft.
  public func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    try await respond(to: .saveProfile(draft, basedOn: version)) {
      try script.save(draft, basedOn: version, in: contents)
    }
  }
}

extension InMemoryStorefront: PostService {
  /// Returns a page of the posts, newest first, by cursor.
  public func posts(_ page: PageRequest) async throws -> Page<Post> {
    try await respond(to: .posts) { try script.posts(page, of: contents) }
  }

  /// Deletes a post.
  public func delete(_ id: Post.ID) async throws {
    try await respond(to: .deletePost(id)) { try script.delete(id, of: contents) }
  }

  /// Restores a deleted post at its place.
  public func restore(_ id: Post.ID) async throws {
    try await respond(to: .restorePost(id)) { try script.restore(id, of: contents) }
  }
}

extension InMemoryStorefront: OrderService {
  /// Returns the shopper's orders, newest first.
  public func orders() async throws -> [Order] {
    try await respond(to: .orders) { contents.orders }
  }
}

extension InMemoryStorefront: RecommendationService {
  /// Returns the recommended products, best first.
  public func recommendations() async throws -> [CatalogProduct] {
    try await respond(to: .recommendations) { contents.recommendations }
  }
}
