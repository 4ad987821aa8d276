public import Foundation
public import StorefrontDomain

/// All storefront services over HTTP.
///
/// - Isolation: None. Use every member from any actor. Requests are sent and responses are decoded outside the
///   caller's actor.
/// - Errors: ``/StorefrontDomain/CartError``, ``/StorefrontDomain/ProfileError`` or
///   ``/StorefrontDomain/PostError`` if the server reports a reason that one of these types describes,
///   otherwise ``/StorefrontDomain/ServiceError``.
/// - Cancellation: Cancelling the task cancels the request, and the call throws `CancellationError`.
/// - Note: Up to `connectionLimit` connections stay open and are reused. Further requests wait for a free
///   connection.
public final class HTTPStorefront: Sendable {
  private let client: HTTPClient

  /// Creates the services of the server at `baseURL`.
  ///
  /// A request fails if the server sends nothing for `timeout`, which is rounded up to whole seconds. A server
  /// that keeps sending bytes can take longer. To limit the total time, use `withDeadline`.
  ///
  /// - Precondition: `baseURL` is an HTTP or HTTPS URL with a host, `timeout` is positive and
  ///   `connectionLimit` is at least 1.
  public init(baseURL: URL, timeout: Duration = .seconds(30), connectionLimit: Int = 6) {
    client = HTTPClient(
      base: baseURL, transport: URLSessionTransport(timeout: timeout, connectionLimit: connectionLimit))
  }

  /// Creates the services of the server that `transport` reaches.
  package init(baseURL: URL, transport: any HTTPTransport) {
    client = HTTPClient(base: baseURL, transport: transport)
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
