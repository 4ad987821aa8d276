import AsyncViewModels
public import StorefrontDomain
import Synchronization

/// The latencies, failures and refusals of an in-memory storefront, its log, and its changes.
///
/// - Isolation: None. Use every member from any thread, even while calls run.
/// - Ordering: A call's latency and failure are set when it starts, refusals when it responds.
/// - Keys: A cart change with the key of an earlier change gets its response, also a refusal, and
///   has no other effect. If the product or the delta differs, it fails with
///   ``/StorefrontDomain/ServiceError/keyReused(_:)``. The script knows the 1,000 keys that were
///   used last. A scripted failure is no response.
public final class StorefrontScript: Sendable {
  struct Failure {
    let error: any Error
    /// Whether the call has its effect before it fails.
    let losesResponse: Bool
    var remaining: Int
  }

  /// What a cart change with the same key must have in common.
  struct KeyedChange: Equatable, Sendable {
    let product: CatalogProduct.ID
    let delta: Int
  }

  struct State {
    var calls: [StorefrontCall] = []
    var latencies: [StorefrontEndpoint: Duration] = [:]
    var failures: [StorefrontEndpoint: [Failure]] = [:]
    var refusals: [CatalogProduct.ID: String] = [:]
    var cart = StockedCart()
    var responses = KeyedResponses<KeyedChange, Result<Void, CartError>>(limit: 1_000)
    /// `nil` before the first save.
    var profile: Profile?
    var deletedPosts: Set<Post.ID> = []
    var cursorGeneration = 0
  }

  struct Behavior {
    let latency: Duration
    let failure: Failure?

    /// Returns the response, or throws the scripted error before or after the effect.
    func respond<Output>(with response: () throws -> Output) throws -> Output {
      guard let failure else { return try response() }
      if failure.losesResponse { _ = try? response() }
      throw failure.error
    }
  }

  let state = Mutex(State())

  /// Creates a script without latencies, failures and refusals.
  public init() {}

  /// All calls in the order in which they started, including failed and cancelled calls.
  public var calls: [StorefrontCall] { state.withLock { $0.calls } }

  /// The number of calls of one operation.
  public func callCount(of endpoint: StorefrontEndpoint) -> Int {
    state.withLock { $0.calls.count { $0.endpoint == endpoint } }
  }

  /// Makes the next `count` calls of an operation fail, after those that were scripted before.
  ///
  /// - Precondition: `count` is not negative.
  public func fail(_ endpoint: StorefrontEndpoint, next count: Int = 1, with error: any Error) {
    precondition(count >= 0, "StorefrontScript.fail: the count must not be negative, but is \(count)")
    add(Failure(error: error, losesResponse: false, remaining: count), to: endpoint)
  }

  /// Makes the next `count` calls have their effect and fail, as if their responses were lost.
  ///
  /// - Precondition: `count` is not negative.
  public func loseResponses(
    of endpoint: StorefrontEndpoint, next count: Int = 1, with error: any Error = ServiceError.connectionLost
  ) {
    precondition(count >= 0, "StorefrontScript.loseResponses: the count must not be negative: \(count)")
    add(Failure(error: error, losesResponse: true, remaining: count), to: endpoint)
  }

  private func add(_ failure: Failure, to endpoint: StorefrontEndpoint) {
    guard failure.remaining > 0 else { return }
    state.withLock { $0.failures[endpoint, default: []].append(failure) }
  }

  /// Sets the latency of future calls of these operations, or of all operations.
  ///
  /// - Precondition: `latency` is not negative.
  public func delay(by latency: Duration, _ endpoints: StorefrontEndpoint...) {
    precondition(
      latency >= .zero, "StorefrontScript.delay: the latency must not be negative, but is \(latency)")
    state.withLock { state in
      for endpoint in endpoints.isEmpty ? StorefrontEndpoint.allCases : endpoints {
        state.latencies[endpoint] = min(latency, .century)
      }
    }
  }

  /// Refuses every cart change of these products with
  /// ``/StorefrontDomain/CartError/refused(_:reason:)``.
  public func refuse(_ products: CatalogProduct.ID..., reason: String = "not for sale") {
    state.withLock { state in
      for id in products { state.refusals[id] = reason }
    }
  }

  /// Accepts cart changes of these products again.
  public func allow(_ products: CatalogProduct.ID...) {
    state.withLock { state in
      for id in products { state.refusals[id] = nil }
    }
  }

  /// The number of units of a product in the storefront's cart.
  public func cartQuantity(of id: CatalogProduct.ID) -> Int {
    state.withLock { $0.cart.quantity(of: id) }
  }

  /// Makes all cursors expire that the search and the posts have returned so far.
  public func expireCursors() { state.withLock { $0.cursorGeneration += 1 } }

  func begin(_ call: StorefrontCall) -> Behavior {
    state.withLock { state in
      state.calls.append(call)
      let endpoint = call.endpoint
      return Behavior(
        latency: state.latencies[endpoint] ?? .zero, failure: state.failures[endpoint]?.takeNext())
    }
  }
}

extension [StorefrontScript.Failure] {
  fileprivate mutating func takeNext() -> Element? {
    guard let next = first else { return nil }
    self[0].remaining -= 1
    if self[0].remaining == 0 { removeFirst() }
    return next
  }
}

extension StorefrontScript {
  func cart(of contents: StorefrontContents) -> Cart {
    let cart = state.withLock { $0.cart }
    return cart.cart(currency: contents.products.first?.price.currency ?? .usd) { try? contents.product($0) }
  }

  func apply(_ change: CartChange, key: IdempotencyKey, to contents: StorefrontContents) throws {
    let write = KeyedChange(product: change.product.id, delta: change.delta)
    let product = contents.products.first { $0.id == write.product }
    try state.withLock { state in
      if let response = try state.responses.response(to: write, key: key) { return try response.get() }
      let response = Result { () throws(CartError) in try state.apply(write, to: product) }
      state.responses.keep(response, to: write, key: key)
      try response.get()
    }
  }
}

extension StorefrontScript.State {
  fileprivate mutating func apply(
    _ change: StorefrontScript.KeyedChange, to product: CatalogProduct?
  ) throws(CartError) {
    guard let product else { throw .unknownProduct(change.product) }
    if let reason = refusals[change.product] { throw .refused(change.product, reason: reason) }
    _ = try cart.change(product, by: change.delta)
  }
}

extension StorefrontScript {
  func hits(
    for query: String, page: PageRequest, in contents: StorefrontContents
  ) throws(PageError) -> Page<SearchHit> {
    let generation = state.withLock { $0.cursorGeneration }
    return try OffsetCursor.page(
      page, of: contents.hits(for: query), list: "search/\(query)", generation: generation)
  }
}

extension StorefrontScript {
  func posts(_ page: PageRequest, of contents: StorefrontContents) throws(PageError) -> Page<Post> {
    let (deleted, generation) = state.withLock { ($0.deletedPosts, $0.cursorGeneration) }
    return try OffsetCursor.page(page, of: contents.posts, list: "posts", generation: generation) {
      !deleted.contains($0.id)
    }
  }

  func delete(_ id: Post.ID, of contents: StorefrontContents) throws(PostError) {
    guard contents.posts.contains(where: { $0.id == id }) else { throw .unknownPost(id) }
    try state.withLock { state throws(PostError) in
      guard state.deletedPosts.insert(id).inserted else { throw .unknownPost(id) }
    }
  }

  func restore(_ id: Post.ID, of contents: StorefrontContents) throws(PostError) {
    guard contents.posts.contains(where: { $0.id == id }) else { throw .unknownPost(id) }
    state.withLock { _ = $0.deletedPosts.remove(id) }
  }
}

extension StorefrontScript {
  func profile(of contents: StorefrontContents) -> Profile {
    state.withLock { $0.profile ?? contents.profile }
  }

  func save(
    _ draft: Profile.Draft, basedOn version: Int, in contents: StorefrontContents
  ) throws(ProfileError) -> Profile {
    try state.withLock { state throws(ProfileError) in
      let saved = try (state.profile ?? contents.profile).replaced(by: draft, basedOn: version)
      state.profile = saved
      return saved
    }
  }
}
