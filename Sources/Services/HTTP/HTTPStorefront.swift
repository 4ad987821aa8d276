public import Foundation
public import StorefrontDomain

/// A storefront's services over HTTP, for async code.
///
/// - Isolation: none. Requests are sent and answers decoded off the caller's actor.
/// - Errors: ``ServiceError``; for what the server would not have, ``CartError``, ``ProfileError`` or ``PostError``.
/// - Cancellation: cancelling the task cancels the request, and throws `CancellationError`.
/// - Cost: connections stay open and are used again, at most `connectionLimit` of them; further requests wait.
public final class HTTPStorefront: Sendable {
  private let transport: HTTPTransport

  /// The storefront of the server at `baseURL`.
  ///
  /// `timeout` is how long the server may stay silent. It is rounded up to whole seconds, and a server that sends a byte
  /// now and then may take longer; for a firm limit wrap the call in a deadline.
  ///
  /// - Precondition: `baseURL` is `http` or `https` and has a host, `timeout` is positive, `connectionLimit` at least 1.
  public init(baseURL: URL, timeout: Duration = .seconds(30), connectionLimit: Int = 6) {
    transport = HTTPTransport(base: baseURL, timeout: timeout, connectionLimit: connectionLimit)
  }
}

extension HTTPStorefront: PageService {
  public func page(_ request: PageRequest) async throws -> Page<Product> {
    try await transport.value(of: .products(request))
  }
}

extension HTTPStorefront: DetailService {
  public func detail(of id: Product.ID) async throws -> Product {
    try await transport.value(of: .product(id))
  }
}

extension HTTPStorefront: SearchService {
  public func results(for query: String) async throws -> [SearchHit] {
    try await transport.value(of: .search(query))
  }
}

extension HTTPStorefront: CartService {
  public func apply(_ change: CartChange) async throws {
    try await transport.value(of: .change(change))
  }
}

extension HTTPStorefront: ProfileEditingService {
  public func profile() async throws -> Profile {
    try await transport.value(of: .profile)
  }

  public func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    try await transport.value(of: .saveProfile(draft, basedOn: version))
  }
}

extension HTTPStorefront: PostService {
  public func posts() async throws -> [Post] {
    try await transport.value(of: .posts)
  }

  public func delete(_ id: Post.ID) async throws {
    try await transport.value(of: .deletePost(id))
  }
}

extension HTTPStorefront: OrderService {
  public func orders() async throws -> [Order] {
    try await transport.value(of: .orders)
  }
}

extension HTTPStorefront: RecommendationService {
  public func recommendations() async throws -> [Product] {
    try await transport.value(of: .recommendations)
  }
}
