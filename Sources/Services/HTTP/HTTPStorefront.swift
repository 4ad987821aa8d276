public import Foundation
public import StorefrontDomain

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// All storefront services over HTTP.
///
/// - Isolation: None. Use every member from any actor. Requests are sent and responses are decoded outside the
///   caller's actor.
/// - Errors: ``/StorefrontDomain/CartError``, ``/StorefrontDomain/ProfileError`` or
///   ``/StorefrontDomain/PostError`` if the server reports a reason that one of these types describes,
///   otherwise ``/StorefrontDomain/ServiceError``.
/// - Responses: A response is a value only if its status is 200 and its body is the JSON that the request asks
///   for. A read follows redirections within the same host, and a write never does.
/// - Cancellation: Cancelling the task cancels the request, and the call throws `CancellationError` at once.
public final class HTTPStorefront: Sendable {
  private let client: HTTPClient

  /// Creates the services of the server at `baseURL`.
  ///
  /// - Parameters:
  ///   - baseURL: An HTTP or HTTPS URL. The paths of requests are appended to its path.
  ///   - limits: How long requests may take, and how much a response may contain.
  ///   - configuration: The configuration of the `URLSession`, such as its proxies, protocols and additional headers.
  ///     The cache, the cookies, the timeout and the connection limit are replaced. On Linux, pass a configuration only if
  ///     you need it. Without one, the storefront uses libcurl directly, because `URLSession` has defects there.
  ///   - clock: The clock that measures the deadline.
  /// - Throws: ``BaseURLError`` if `baseURL` breaks one of the rules in ``BaseURLError/Reason``.
  public init(
    baseURL: URL, limits: HTTPLimits = HTTPLimits(), configuration: URLSessionConfiguration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws(BaseURLError) {
    client = try HTTPClient(
      baseURL: baseURL, transport: DefaultTransport.transport(limits: limits, configuration: configuration),
      deadline: limits.deadline, clock: clock)
  }

  /// Creates the services of the server that `transport` reaches.
  package init(
    baseURL: URL, transport: any HTTPTransport, limits: HTTPLimits = HTTPLimits(), clock: any Clock<Duration>
  ) throws(BaseURLError) {
    client = try HTTPClient(
      baseURL: baseURL, transport: transport, deadline: limits.deadline, clock: clock)
  }
}

extension HTTPStorefront: PageService {
  /// Requests `GET /products`.
  public func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    try await client.value(of: .products(request))
  }
}

extension HTTPStorefront: DetailService {
  /// Requests `GET /products/ID`.
  public func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct {
    try await client.value(of: .product(id))
  }
}

extension HTTPStorefront: SearchService {
  /// Requests `GET /search`.
  public func results(for query: String) async throws -> [SearchHit] {
    try await client.value(of: .search(query))
  }
}

extension HTTPStorefront: CartService {
  /// Requests `POST /cart/changes`. The request contains only the id of the product and the delta.
  public func apply(_ change: CartChange) async throws {
    try await client.value(of: .change(change))
  }
}

extension HTTPStorefront: ProfileEditingService {
  /// Requests `GET /profile`.
  public func profile() async throws -> Profile {
    try await client.value(of: .profile)
  }

  /// Requests `PUT /profile`.
  public func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    try await client.value(of: .saveProfile(draft, basedOn: version))
  }
}

extension HTTPStorefront: PostService {
  /// Requests `GET /posts`.
  public func posts() async throws -> [Post] {
    try await client.value(of: .posts)
  }

  /// Requests `DELETE /posts/ID`.
  public func delete(_ id: Post.ID) async throws {
    try await client.value(of: .deletePost(id))
  }
}

extension HTTPStorefront: OrderService {
  /// Requests `GET /orders`.
  public func orders() async throws -> [Order] {
    try await client.value(of: .orders)
  }
}

extension HTTPStorefront: RecommendationService {
  /// Requests `GET /recommendations`.
  public func recommendations() async throws -> [CatalogProduct] {
    try await client.value(of: .recommendations)
  }
}
