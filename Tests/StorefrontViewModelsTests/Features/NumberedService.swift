import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting

/// A service of all features, in both forms. Each answer contains a number that identifies it.
protocol NumberedService:
  PageService<CatalogProduct>, PageClosureService<CatalogProduct>, SearchService<CatalogProduct>,
  SearchClosureService<CatalogProduct>,
  DetailService<CatalogProduct>, DetailClosureService<CatalogProduct>, PostService, PostClosureService,
  ProfileEditingService, ProfileEditingClosureService, OrderService, OrderClosureService,
  RecommendationService, RecommendationClosureService, CartService, CartClosureService
{
  /// Returns the number of the answer to one request.
  func number() async throws -> Int
  func number(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> CancellationToken
}

/// A service that a test answers request by request, with the number of each answer.
struct ScriptedNumbers: NumberedService {
  private let calls: ScriptedCalls<Void, Int>

  init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  /// Waits for the next `count` requests.
  func next(_ count: Int) async throws -> [ScriptedCall<Void, Int>] {
    var next: [ScriptedCall<Void, Int>] = []
    for _ in 0..<count { next.append(try await calls.next()) }
    return next
  }

  func number() async throws -> Int { try await calls(()) }
  func number(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> CancellationToken {
    calls((), completion: completion)
  }
}

extension NumberedService {
  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    .rows([try await number()], isLast: true)
  }
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken { number { completion($0.map { .rows([$0], isLast: true) }) } }

  /// There is always a next page of the hits.
  func results(for query: String, page: PageRequest) async throws -> Page<CatalogProduct> {
    Page(.rows([try await number()]), cursor: "next")
  }
  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken { number { completion($0.map { Page(.rows([$0]), cursor: "next") }) } }

  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct {
    CatalogProduct(id.rawValue, "\(try await number())")
  }
  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken { number { completion($0.map { CatalogProduct(id.rawValue, "\($0)") }) } }

  /// The number of an answer is the number of its posts.
  func posts(_ page: PageRequest) async throws -> Page<Post> { .numbered(1...(try await number())) }
  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken { number { completion($0.map { .numbered(1...$0) }) } }
  func delete(_ id: Post.ID) async throws { _ = try await number() }
  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken { number { completion($0.map { _ in }) } }
  func restore(_ id: Post.ID) async throws { _ = try await number() }
  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken { number { completion($0.map { _ in }) } }

  func profile() async throws -> Profile { Profile(try await number()) }
  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    number { completion($0.map { Profile($0) }) }
  }
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    Profile(try await number())
  }
  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken { profile(completion: completion) }

  func orders() async throws -> [Order] { [Order(try await number())] }
  func orders(completion: @escaping @Sendable (Result<[Order], any Error>) -> Void) -> CancellationToken {
    number { completion($0.map { [Order($0)] }) }
  }

  func recommendations() async throws -> [CatalogProduct] { [CatalogProduct(try await number())] }
  func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken { number { completion($0.map { [CatalogProduct($0)] }) } }

  func cart() async throws -> Cart { Cart(try await number()) }
  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    number { completion($0.map { Cart($0) }) }
  }
  func apply(_ change: CartChange, key: IdempotencyKey) async throws { _ = try await number() }
  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken { number { completion($0.map { _ in }) } }
}
