public import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// A storefront's services over HTTP, with completion handlers.
///
/// - Isolation: none. Completion handlers run on the session's serial queue, after the answer was decoded there.
/// - Errors: ``ServiceError``; for what the server would not have, ``CartError``, ``ProfileError`` or ``PostError``.
/// - Cancellation: cancelling the token cancels the request; the handler gets `CancellationError`, unless the answer
///   came first.
/// - Cost: connections stay open and are used again, at most `connectionLimit` of them; further requests wait.
public final class HTTPClosureStorefront: Sendable {
  private let transport: HTTPTransport

  /// The storefront of the server at `baseURL`.
  ///
  /// `timeout` is how long the server may stay silent. It is rounded up to whole seconds, and a server that sends a byte
  /// now and then may take longer.
  ///
  /// - Precondition: `baseURL` is `http` or `https` and has a host, `timeout` is positive, `connectionLimit` at least 1.
  public init(baseURL: URL, timeout: Duration = .seconds(30), connectionLimit: Int = 6) {
    transport = HTTPTransport(base: baseURL, timeout: timeout, connectionLimit: connectionLimit)
  }
}

extension HTTPClosureStorefront: PageClosureService {
  public func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Product>, any Error>) -> Void
  ) -> CancellationToken {
    transport.load(.products(request), completion: completion)
  }
}

extension HTTPClosureStorefront: DetailClosureService {
  public func detail(
    of id: Product.ID, completion: @escaping @Sendable (Result<Product, any Error>) -> Void
  ) -> CancellationToken {
    transport.load(.product(id), completion: completion)
  }
}

extension HTTPClosureStorefront: SearchClosureService {
  public func results(
    for query: String, completion: @escaping @Sendable (Result<[SearchHit], any Error>) -> Void
  ) -> CancellationToken {
    transport.load(.search(query), completion: completion)
  }
}

extension HTTPClosureStorefront: CartClosureService {
  public func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    transport.load(.change(change), completion: completion)
  }
}

extension HTTPClosureStorefront: ProfileEditingClosureService {
  public func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    transport.load(.profile, completion: completion)
  }

  public func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    transport.load(.saveProfile(draft, basedOn: version), completion: completion)
  }
}

extension HTTPClosureStorefront: PostClosureService {
  public func posts(
    completion: @escaping @Sendable (Result<[Post], any Error>) -> Void
  ) -> CancellationToken {
    transport.load(.posts, completion: completion)
  }

  public func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    transport.load(.deletePost(id), completion: completion)
  }
}

extension HTTPClosureStorefront: OrderClosureService {
  public func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken {
    transport.load(.orders, completion: completion)
  }
}

extension HTTPClosureStorefront: RecommendationClosureService {
  public func recommendations(
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken {
    transport.load(.recommendations, completion: completion)
  }
}
