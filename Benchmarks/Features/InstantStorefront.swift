import AsyncViewModels
import StorefrontDomain
import StorefrontLoopbackServer

/// A storefront with async functions and with completion handlers. Both answer at once, on the caller's thread, and add
/// almost nothing to the cost of a view model.
struct InstantStorefront: Sendable {
  let catalog: Catalog

  private let hits: [SearchHit]
  private let products: [CatalogProduct.ID: CatalogProduct]

  init(_ catalog: Catalog) {
    self.catalog = catalog
    products = Dictionary(uniqueKeysWithValues: catalog.products.map { ($0.id, $0) })
    hits = catalog.products.prefix(20).map { SearchHit(id: $0.id, title: $0.name, detail: "") }
  }
}

extension InstantStorefront {
  /// The requested page of the posts, by number, which is the cheapest.
  private func pageOfPosts(_ request: PageRequest) -> Page<Post> { Page(request, of: catalog.posts) }

  private func product(_ id: CatalogProduct.ID) throws -> CatalogProduct {
    guard let product = products[id] else { throw ServiceError.notFound("product \(id.rawValue)") }
    return product
  }

  /// The profile after a save, which always succeeds.
  private func saved(_ draft: Profile.Draft, _ version: Int) -> Profile {
    Profile(id: catalog.profile.id, name: draft.name, email: draft.email, version: version + 1)
  }
}

extension InstantStorefront: PageService, DetailService, SearchService, ProfileEditingService, OrderService,
  RecommendationService, PostService
{
  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    Page(request, of: catalog.products)
  }
  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct { try product(id) }
  func results(for query: String, page: PageRequest) async throws -> Page<SearchHit> {
    hits(at: page)
  }
  private func hits(at request: PageRequest) -> Page<SearchHit> {
    let start = request.position.cursor.flatMap { Int($0.rawValue) } ?? 0
    let rest = hits.dropFirst(start)
    let next = rest.count > request.size ? PageCursor(rawValue: "\(start + request.size)") : nil
    return Page(items: Array(rest.prefix(request.size)), next: next)
  }
  func profile() async throws -> Profile { catalog.profile }
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile { saved(draft, version) }
  func orders() async throws -> [Order] { catalog.orders }
  func recommendations() async throws -> [CatalogProduct] { catalog.recommendations }
  func posts(_ page: PageRequest) async throws -> Page<Post> { pageOfPosts(page) }
  func delete(_ id: Post.ID) async throws {}
  func restore(_ id: Post.ID) async throws {}
}

extension InstantStorefront: PageClosureService, DetailClosureService, SearchClosureService,
  ProfileEditingClosureService, OrderClosureService, RecommendationClosureService, PostClosureService
{
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    answer(Page(request, of: catalog.products), completion)
  }

  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    completion(Result { try product(id) })
    return .finished
  }

  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<SearchHit>, any Error>) -> Void
  ) -> CancellationToken {
    answer(hits(at: page), completion)
  }

  func profile(
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    answer(catalog.profile, completion)
  }

  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    answer(saved(draft, version), completion)
  }

  func orders(
    completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  ) -> CancellationToken {
    answer(catalog.orders, completion)
  }

  func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken {
    answer(catalog.recommendations, completion)
  }

  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    answer(pageOfPosts(page), completion)
  }

  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    answer((), completion)
  }

  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    answer((), completion)
  }

  private func answer<Answer>(
    _ answer: Answer, _ completion: (Result<Answer, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(answer))
    return .finished
  }
}
