public import StorefrontDomain

/// A storefront's services without a network, for async code: as slow, and as broken, as its script says.
///
/// - Isolation: none. A call without latency answers without leaving the caller's actor.
/// - Errors: those of the script; for what a server would not have ``CartError``, ``ProfileError`` or ``PostError``, as over
///   HTTP.
/// - Cancellation: ends the wait at once with `CancellationError`, and the call has had no effect.
public final class InMemoryStorefront: Sendable {
  public let contents: StorefrontContents
  public let script: StorefrontScript
  private let clock: any Clock<Duration>

  /// Latencies of the script pass on `clock`.
  public init(
    _ contents: StorefrontContents = StorefrontContents(), script: StorefrontScript = StorefrontScript(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.contents = contents
    self.script = script
    self.clock = clock
  }

  private func answer<Answer>(
    _ call: StorefrontCall, _ answer: () throws -> Answer
  ) async throws -> Answer {
    let course = script.begin(call)
    if course.latency > .zero { try await clock.sleep(for: course.latency) }
    try Task.checkCancellation()
    if let error = course.error { throw error }
    return try answer()
  }
}

extension InMemoryStorefront: PageService {
  public func page(_ request: PageRequest) async throws -> Page<Product> {
    try await answer(.page(request)) { Page(request, of: contents.products) }
  }
}

extension InMemoryStorefront: DetailService {
  public func detail(of id: Product.ID) async throws -> Product {
    try await answer(.product(id)) { try contents.product(id) }
  }
}

extension InMemoryStorefront: SearchService {
  public func results(for query: String) async throws -> [SearchHit] {
    try await answer(.search(query)) { contents.hits(for: query) }
  }
}

extension InMemoryStorefront: CartService {
  public func apply(_ change: CartChange) async throws {
    try await answer(.change(change)) { try script.apply(change, to: contents) }
  }
}

extension InMemoryStorefront: ProfileEditingService {
  public func profile() async throws -> Profile {
    try await answer(.profile) { script.profile(of: contents) }
  }

  public func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    try await answer(.saveProfile(draft, basedOn: version)) {
      try script.save(draft, basedOn: version, in: contents)
    }
  }
}

extension InMemoryStorefront: PostService {
  public func posts() async throws -> [Post] {
    try await answer(.posts) { script.posts(of: contents) }
  }

  public func delete(_ id: Post.ID) async throws {
    try await answer(.deletePost(id)) { try script.delete(id, of: contents) }
  }
}

extension InMemoryStorefront: OrderService {
  public func orders() async throws -> [Order] {
    try await answer(.orders) { contents.orders }
  }
}

extension InMemoryStorefront: RecommendationService {
  public func recommendations() async throws -> [Product] {
    try await answer(.recommendations) { contents.recommendations }
  }
}
