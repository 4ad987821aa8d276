import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting

/// The storefront, answered by a test.
struct ScriptedStorefront: OldBase {
  let cart = ScriptedCartService()
  let pages = ScriptedPageService<CatalogProduct>()
  let posts = ScriptedPostService()

  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    cart.cart(completion: completion)
  }

  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    cart.apply(change, key: key, completion: completion)
  }

  func page(
    _ request: PageRequest,
    completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    pages.page(request, completion: completion)
  }

  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    posts.posts(page, completion: completion)
  }

  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    posts.delete(id, completion: completion)
  }

  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    posts.restore(id, completion: completion)
  }
}
