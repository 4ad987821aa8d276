public import Foundation
public import StorefrontDomain

/// All storefront services over HTTP.
///
/// ```swift
/// let storefront = try HTTPStorefront(baseURL: url)
/// let cart = CartViewModel(service: storefront)
/// ```
///
/// | topic | guarantee |
/// | --- | --- |
/// | response | A value only if its status is 200 and its body is the JSON that the request asks for, or if the server confirms a stored response by its `ETag`. |
/// | redirection | A read follows redirections within the same host, a write none. |
/// | page | Status 410 for a cursor becomes ``/StorefrontDomain/PageError/expired(_:)``. Elements that cannot be decoded are left out: see ``HTTPOptions/needsAllPageItems``. |
/// | write | Made once by a server that knows the field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). Callers choose the key of a cart change. |
/// | retry | Has the same key and body: see ``HTTPRetryPolicy``. |
/// | cancellation | Cancels the request and throws `CancellationError` at once. |
///
/// - Isolation: None. Requests are sent and responses are decoded outside the caller's actor.
/// - Errors: ``/StorefrontDomain/CartError``, ``/StorefrontDomain/ProfileError`` or
///   ``/StorefrontDomain/PostError`` for a reason that one of them describes, otherwise
///   ``/StorefrontDomain/ServiceError``, or the error of a middleware.
public final class HTTPStorefront: Sendable {
  let client: HTTPClient

  /// Creates the services of the server at `baseURL`.
  ///
  /// - Parameters:
  ///   - baseURL: An HTTP or HTTPS URL. The paths of requests are appended to its path.
  ///   - options: The limits, the retries, the middleware and the cache.
  /// - Throws: ``BaseURLError`` if `baseURL` breaks one of the rules in ``BaseURLError/Reason``.
  public init(baseURL: URL, options: HTTPOptions = HTTPOptions()) throws(BaseURLError) {
    client = try HTTPClient(baseURL: baseURL, options: options)
  }

  package init(
    baseURL: URL, transport: any HTTPTransport, options: HTTPOptions = HTTPOptions()
  ) throws(BaseURLError) {
    client = try HTTPClient(baseURL: baseURL, options: options, transport: transport)
  }

  /// Removes all stored responses, for example after a memory warning or at sign-out.
  public func removeCachedResponses() {
    client.removeCachedResponses()
  }
}

extension HTTPStorefront: PageService {
  /// Requests `GET /products`. The server may page by number or by cursor.
  public func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    try await client.value(of: .products(request, needsAllItems: client.needsAllPageItems))
  }
}

extension HTTPStorefront: DetailService {
  /// Requests `GET /products/ID`.
  public func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct {
    try await client.value(of: .product(id))
  }
}

extension HTTPStorefront: SearchService {
  /// Requests `GET /search`. The server pages by cursor.
  public func results(for query: String, page: PageRequest) async throws -> Page<SearchHit> {
    try await client.value(of: .search(query, page, needsAllItems: client.needsAllPageItems))
  }
}

extension HTTPStorefront: CartService {
  /// Requests `GET /cart`.
  public func cart() async throws -> Cart {
    try await client.value(of: .cart)
  }

  /// Requests `POST /cart/changes`. The request contains only the id of the product and the delta.
  public func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    try await client.value(of: .change(change, key: key))
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
  /// Requests `GET /posts`. The server pages by cursor.
  public func posts(_ page: PageRequest) async throws -> Page<Post> {
    try await client.value(of: .posts(page, needsAllItems: client.needsAllPageItems))
  }

  /// Requests `DELETE /posts/ID`.
  public func delete(_ id: Post.ID) async throws {
    try await client.value(of: .deletePost(id))
  }

  /// Requests `POST /posts/ID/restore`.
  public func restore(_ id: Post.ID) async throws {
    try await client.value(of: .restorePost(id))
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
