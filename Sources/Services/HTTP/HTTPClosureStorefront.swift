public import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// All storefront services over HTTP, with completion handlers. See ``HTTPStorefront``.
///
/// - Isolation: None. Completion handlers are called on a concurrent queue, several at the same
///   time. A handler that blocks does not delay the others.
/// - Cancellation: Cancelling or releasing the token cancels the request. The handler receives
///   `CancellationError` at once, unless the response arrived first.
public final class HTTPClosureStorefront: Sendable {
  let client: HTTPClient

  /// Creates the services of the server at `baseURL`. See
  /// ``HTTPStorefront/init(baseURL:options:)``.
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

extension HTTPClosureStorefront: PageClosureService {
  /// Requests `GET /products`. The server may page by number or by cursor.
  public func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.products(request, needsAllItems: client.needsAllPageItems), completion: completion)
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
  /// Requests `GET /search`. The server pages by cursor.
  public func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<SearchHit>, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.search(query, page, needsAllItems: client.needsAllPageItems), completion: completion)
  }
}

extension HTTPClosureStorefront: CartClosureService {
  /// Requests `GET /cart`.
  public func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    client.load(.cart, completion: completion)
  }

  /// Requests `POST /cart/changes`. The request contains only the id of the product and the delta.
  public func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.change(change, key: key), completion: completion)
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
  /// Requests `GET /posts`. The server pages by cursor.
  public func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.posts(page, needsAllItems: client.needsAllPageItems), completion: completion)
  }

  /// Requests `DELETE /posts/ID`.
  public func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.deletePost(id), completion: completion)
  }

  /// Requests `POST /posts/ID/restore`.
  public func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    client.load(.restorePost(id), completion: completion)
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
