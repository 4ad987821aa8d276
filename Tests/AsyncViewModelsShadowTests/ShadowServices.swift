import AsyncViewModels
import AsyncViewModelsShadow
import StorefrontDomain

/// A request of the storefront, without the key of a write.
enum StorefrontCall: Hashable, Sendable {
  case cart
  case apply(CartChange)
  case page(PageRequest)
  case posts(PageRequest)
  case delete(Post.ID)
  case restore(Post.ID)
}

typealias OldBase = CartClosureService & PostClosureService & PageClosureService<CatalogProduct>

/// The services of the old view models.
struct RecordedStorefront<Base: OldBase>: OldBase {
  let base: Base
  let calls: ShadowCalls

  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    calls.record(StorefrontCall.cart, completion: completion) { base.cart(completion: $0) }
  }

  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    calls.record(StorefrontCall.apply(change), completion: completion) {
      base.apply(change, key: key, completion: $0)
    }
  }

  func page(
    _ request: PageRequest,
    completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    calls.record(StorefrontCall.page(request), completion: completion) {
      base.page(request, completion: $0)
    }
  }

  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    calls.record(StorefrontCall.posts(page), completion: completion) { base.posts(page, completion: $0) }
  }

  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    calls.record(StorefrontCall.delete(id), completion: completion) { base.delete(id, completion: $0) }
  }

  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    calls.record(StorefrontCall.restore(id), completion: completion) { base.restore(id, completion: $0) }
  }
}

/// The services of the new view models.
struct ReplayedStorefront: CartService, PostService, PageService {
  let calls: ShadowCalls

  func cart() async throws -> Cart { try await calls.replay(StorefrontCall.cart) }

  func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    try await calls.replay(StorefrontCall.apply(change), as: Void.self)
  }

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    try await calls.replay(StorefrontCall.page(request))
  }

  func posts(_ page: PageRequest) async throws -> Page<Post> {
    try await calls.replay(StorefrontCall.posts(page))
  }

  func delete(_ id: Post.ID) async throws {
    try await calls.replay(StorefrontCall.delete(id), as: Void.self)
  }

  func restore(_ id: Post.ID) async throws {
    try await calls.replay(StorefrontCall.restore(id), as: Void.self)
  }
}
