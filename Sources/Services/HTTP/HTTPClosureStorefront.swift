public import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// All storefront services over HTTP, with completion handlers.
///
/// - Isolation: None. Use every member from any thread. Responses are decoded and completion handlers are
///   called on the serial queue of the `URLSession`.
/// - Errors: ``/StorefrontDomain/CartError``, ``/StorefrontDomain/ProfileError`` or
///   ``/StorefrontDomain/PostError`` if the server reports a reason that one of these types describes,
///   otherwise ``/StorefrontDomain/ServiceError``.
/// - Cancellation: Cancelling or releasing the token cancels the request. The completion handler receives
///   `CancellationError`, unless the response arrived first.
/// - Note: Up to `connectionLimit` connections stay open and are reused. Further requests wait for a free
///   connection.
public final class HTTPClosureStorefront: Sendable {
  private let client: HTTPClient

  /// Creates the services of the server at `baseURL`.
  ///
  /// A request fails if the server sends nothing for `timeout`, which is rounded up to whole seconds. A server
  /// that keeps sending bytes can take longer.
  ///
  /// - Precondition: `baseURL` is an HTTP or HTTPS URL with a host, `timeout` is positive and
  ///   `connectionLimit` is at least 1.
  public init(baseURL: URL, timeout: Duration = .seconds(30), connectionLimit: Int = 6) {
    client = HTTPClient(
      base: baseURL, transport: URLSessionTransport(timeout: timeout, connectionLimit: connectionLimit))
  }
}

extension HTTPClosureStorefront: PageClosureService {
  /// Requests `GET /products`.
  public func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.products(request), completion: completion)
  }
}

extension HTTPClosureStorefront: DetailClosureService {
  /// Requests `GET /products/ID`.
  public func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.product(id), completion: completion)
  }
}

extension HTTPClosureStorefront: SearchClosureService {
  /// Requests `GET /search`.
  public func results(
    for query: String, completion: @escaping @Sendable (Result<[SearchHit], any Error>) -> Void
  ) -> CancellationToken {
    client.load(.search(query), completion: completion)
  }
}

extension HTTPClosureStorefront: CartClosureService {
  /// Requests `POST /cart/changes`. The request contains only the id of the product and the delta.
  public func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.change(change), completion: completion)
  }
}

extension HTTPClosureStorefront: ProfileEditingClosureService {
  /// Requests `GET /profile`.
  public func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.profile, completion: completion)
  }

  /// Requests `PUT /profile`.
  public func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.saveProfile(draft, basedOn: version), completion: completion)
  }
}

extension HTTPClosureStorefront: PostClosureService {
  /// Requests `GET /posts`.
  public func posts(
    completion: @escaping @Sendable (Result<[Post], any Error>) -> Void
  ) -> CancellationToken {
    client.load(.posts, completion: completion)
  }

  /// Requests `DELETE /posts/ID`.
  public func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.deletePost(id), completion: completion)
  }
}

extension HTTPClosureStorefront: OrderClosureService {
  /// Requests `GET /orders`.
  public func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken {
    client.load(.orders, completion: completion)
  }
}

extension HTTPClosureStorefront: RecommendationClosureService {
  /// Requests `GET /recommendations`.
  public func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken {
    client.load(.recommendations, completion: completion)
  }
}
