import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPLimits {
  /// On a busy machine, all tests start at once, and a call can wait for a thread for more than a minute.
  static let longerThanATest = HTTPLimits(deadline: .seconds(600), idleTimeout: .seconds(600))
}

/// A storefront of either form, behind the same async functions.
struct StorefrontClient: Sendable {
  let page: @Sendable (PageRequest) async throws -> Page<CatalogProduct>
  let product: @Sendable (CatalogProduct.ID) async throws -> CatalogProduct
  let hits: @Sendable (String, PageRequest) async throws -> Page<SearchHit>
  let cart: @Sendable () async throws -> Cart
  let applyWithKey: @Sendable (CartChange, IdempotencyKey) async throws -> Void
  let profile: @Sendable () async throws -> Profile
  let save: @Sendable (Profile.Draft, _ version: Int) async throws -> Profile
  let postsPage: @Sendable (PageRequest) async throws -> Page<Post>
  let deletePost: @Sendable (Post.ID) async throws -> Void
  let restorePost: @Sendable (Post.ID) async throws -> Void
  let orders: @Sendable () async throws -> [Order]
  let recommendations: @Sendable () async throws -> [CatalogProduct]

  /// The storefront itself, for leak checks.
  let service: any AnyObject & Sendable

  init<Service>(_ service: Service)
  where
    Service: AnyObject & CartService & ProfileEditingService & OrderService & RecommendationService,
    Service: PageService<CatalogProduct> & DetailService<CatalogProduct> & SearchService<SearchHit>
      & PostService
  {
    page = { try await service.page($0) }
    product = { try await service.detail(of: $0) }
    hits = { try await service.results(for: $0, page: $1) }
    cart = { try await service.cart() }
    applyWithKey = { try await service.apply($0, key: $1) }
    profile = { try await service.profile() }
    save = { try await service.save($0, basedOn: $1) }
    postsPage = { try await service.posts($0) }
    deletePost = { try await service.delete($0) }
    restorePost = { try await service.restore($0) }
    orders = { try await service.orders() }
    recommendations = { try await service.recommendations() }
    self.service = service
  }

  init<Service>(closures service: Service)
  where
    Service: AnyObject & CartClosureService & ProfileEditingClosureService & OrderClosureService,
    Service: RecommendationClosureService & DetailClosureService<CatalogProduct> & PageClosureService<
      CatalogProduct
    >
      & SearchClosureService<SearchHit> & PostClosureService
  {
    page = { request in try await PendingCall.result { service.page(request, completion: $0) } }
    product = { id in try await PendingCall.result { service.detail(of: id, completion: $0) } }
    hits = { query, page in
      try await PendingCall.result { service.results(for: query, page: page, completion: $0) }
    }
    cart = { try await PendingCall.result { service.cart(completion: $0) } }
    applyWithKey = { change, key in
      try await PendingCall.result { service.apply(change, key: key, completion: $0) }
    }
    profile = { try await PendingCall.result { service.profile(completion: $0) } }
    save = { draft, version in
      try await PendingCall.result { service.save(draft, basedOn: version, completion: $0) }
    }
    postsPage = { page in try await PendingCall.result { service.posts(page, completion: $0) } }
    deletePost = { id in try await PendingCall.result { service.delete(id, completion: $0) } }
    restorePost = { id in try await PendingCall.result { service.restore(id, completion: $0) } }
    orders = { try await PendingCall.result { service.orders(completion: $0) } }
    recommendations = { try await PendingCall.result { service.recommendations(completion: $0) } }
    self.service = service
  }

  /// The first 50 hits.
  func search(_ query: String) async throws -> [SearchHit] {
    try await hits(query, PageRequest(size: 50)).items
  }

  /// The first 100 posts.
  func posts() async throws -> [Post] { try await postsPage(PageRequest(size: 100)).items }

  /// All posts, page by page.
  func allPosts(pageSize: Int) async throws -> [Post] {
    var (posts, request): ([Post], PageRequest?) = ([], PageRequest(size: pageSize))
    while let current = request {
      let page = try await postsPage(current)
      posts += page.items
      request = current.next(after: page)
    }
    return posts
  }

  /// All hits, page by page.
  func allHits(_ query: String, pageSize: Int) async throws -> [SearchHit] {
    var (hits, request): ([SearchHit], PageRequest?) = ([], PageRequest(size: pageSize))
    while let current = request {
      let page = try await self.hits(query, current)
      hits += page.items
      request = current.next(after: page)
    }
    return hits
  }

  /// Makes a cart change, by default with a new key.
  func apply(_ change: CartChange, key: IdempotencyKey = IdempotencyKey()) async throws {
    try await applyWithKey(change, key)
  }

  /// A storefront of the server at `url`. It does not retry, and its limits are longer than a test, unless the test sets
  /// them.
  static func http(
    _ form: HTTPForm, _ url: URL, limits: HTTPLimits = .longerThanATest,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws(BaseURLError) -> Self {
    let configuration: URLSessionConfiguration? =
      switch form.transport {
      case .standard: nil
      case .urlSession: .ephemeral
      }
    return try http(
      form.form, url,
      options: HTTPOptions(limits: limits, retry: .none, configuration: configuration, clock: clock))
  }

  /// A storefront over the standard transport.
  static func http(
    _ form: ServiceForm, _ url: URL, limits: HTTPLimits = .longerThanATest,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws(BaseURLError) -> Self {
    try http(HTTPForm(form: form, transport: .standard), url, limits: limits, clock: clock)
  }

  /// A storefront of the server at `url`, over `transport` or, if it is `nil`, over the network.
  static func http(
    _ form: ServiceForm, _ url: URL, over transport: (any HTTPTransport)? = nil, options: HTTPOptions
  ) throws(BaseURLError) -> Self {
    switch (form, transport) {
    case (.closure, nil): Self(closures: try HTTPClosureStorefront(baseURL: url, options: options))
    case (.async, nil): Self(try HTTPStorefront(baseURL: url, options: options))
    case (.closure, let transport?):
      Self(closures: try HTTPClosureStorefront(baseURL: url, transport: transport, options: options))
    case (.async, let transport?):
      Self(try HTTPStorefront(baseURL: url, transport: transport, options: options))
    }
  }
}
