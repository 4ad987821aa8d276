import AsyncViewModels
import StorefrontDomain
import StorefrontTesting

// Each service has both forms, so that a late answer reaches every stage. Each request has about as
// many good answers as bad ones.

extension Surroundings: PageService, PageClosureService {
  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> { try await ask(products(request)) }
  func page(
    _ request: PageRequest, completion: @escaping Completion<Page<CatalogProduct>>
  ) -> CancellationToken {
    ask(products(request), completion)
  }

  private func products(_ request: PageRequest) -> Request<Page<CatalogProduct>> {
    pages("page", request) { .numbered($0, stock: $1) }
  }

  /// The pages of two items: with a next page, the last one, with an item of the first page, the last
  /// one without items, and without items although there is a next page.
  private func pages<Item: Sendable>(
    _ name: String, _ request: PageRequest, _ item: @escaping @Sendable (_ id: Int, _ number: Int) -> Item
  ) -> Request<Page<Item>> {
    let position = request.position.cursor.flatMap { Int($0.rawValue) } ?? 0
    let next = "\(position + 1)"
    return Request(text: "\(name) \(request.position) of \(request.size)") { number in
      func items(_ ids: Int...) -> [Item] { ids.map { item($0, number) } }
      let (first, second) = (2 * position + 1, 2 * position + 2)
      return [
        .success(Page(items(first, second), cursor: next)), .success(Page(items(first, second), cursor: nil)),
        .success(Page(items(1, second), cursor: next)), .success(Page([], cursor: nil)),
        .success(Page([], cursor: next)), .failure(ServiceError.timedOut),
        .failure(PageError.expired(PageCursor(rawValue: next))), .failure(CancellationError()),
      ]
    }
  }
}

extension Surroundings: SearchService, SearchClosureService {
  func results(for query: String, page: PageRequest) async throws -> Page<TextHit> {
    try await ask(hits(query, page))
  }
  func results(
    for query: String, page: PageRequest, completion: @escaping Completion<Page<TextHit>>
  ) -> CancellationToken {
    ask(hits(query, page), completion)
  }

  private func hits(_ query: String, _ page: PageRequest) -> Request<Page<TextHit>> {
    pages("search \(query),", page) { TextHit("\(query)\($0)", version: $1) }
  }
}

extension Surroundings: DetailService, DetailClosureService {
  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct { try await ask(details(id)) }
  func detail(
    of id: CatalogProduct.ID, completion: @escaping Completion<CatalogProduct>
  ) -> CancellationToken {
    ask(details(id), completion)
  }

  private func details(_ id: CatalogProduct.ID) -> Request<CatalogProduct> {
    Request(text: "detail \(id)") { number in
      [
        .success(.numbered(id.rawValue, stock: number)), .failure(ServiceError.timedOut),
        .success(.numbered(id.rawValue, stock: number + 10)), .failure(CancellationError()),
      ]
    }
  }
}

extension Surroundings: OrderService, OrderClosureService {
  func orders() async throws -> [Order] { try await ask(allOrders) }
  func orders(completion: @escaping Completion<[Order]>) -> CancellationToken { ask(allOrders, completion) }

  private var allOrders: Request<[Order]> {
    Request(text: "orders", hasAccount: true) { number in
      let orders = [1, 2, 1].map {
        Order(id: $0, total: .zero(in: .usd), itemCount: number, status: .placed)
      }
      return [
        .success(orders), .failure(ServiceError.timedOut), .success([]), .failure(CancellationError()),
      ]
    }
  }
}

extension Surroundings: RecommendationService, RecommendationClosureService {
  func recommendations() async throws -> [CatalogProduct] { try await ask(allRecommendations) }
  func recommendations(completion: @escaping Completion<[CatalogProduct]>) -> CancellationToken {
    ask(allRecommendations, completion)
  }

  private var allRecommendations: Request<[CatalogProduct]> {
    Request(text: "recommendations", hasAccount: true) { number in
      [
        .success([1, 2, 1].map { .numbered($0, stock: number) }), .failure(ServiceError.timedOut),
        .success([]), .failure(CancellationError()),
      ]
    }
  }
}

extension Surroundings: ProfileEditingService, ProfileEditingClosureService {
  func profile() async throws -> Profile { try await ask(currentProfile) }
  func profile(completion: @escaping Completion<Profile>) -> CancellationToken {
    ask(currentProfile, completion)
  }
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    try await ask(saved(draft, version))
  }
  func save(
    _ draft: Profile.Draft, basedOn version: Int, completion: @escaping Completion<Profile>
  ) -> CancellationToken {
    ask(saved(draft, version), completion)
  }

  private var currentProfile: Request<Profile> {
    Request(text: "profile", hasAccount: readsHaveAccounts) { number in
      [
        .success(Profile(id: 1, name: "Ada", email: "a@b.c", version: number)),
        .success(Profile(id: 1, name: "Ada \(number)", email: "a@b.c", version: number)),
        .failure(ServiceError.timedOut), .success(Profile(id: 1, name: "Old", email: "a@b.c", version: 0)),
        .success(Profile(id: 2, name: "Bob", email: "b@b.c", version: number)),
        .failure(CancellationError()),
      ]
    }
  }

  private func saved(_ draft: Profile.Draft, _ version: Int) -> Request<Profile> {
    Request(text: "save \(draft.name), \(draft.email), version \(version)", hasAccount: true) { number in
      let profile = Profile(id: 1, name: draft.name, email: draft.email, version: version + 1)
      let newer = Profile(id: 1, name: "Newer \(number)", email: draft.email, version: version + 2)
      return [
        .success(profile), .failure(ProfileError.conflict(current: newer)), .failure(ServiceError.timedOut),
        .failure(ProfileError.invalid(.refused(.name, reason: "\(number)"))), .success(newer),
        .failure(ProfileError.conflict(current: profile)), .failure(CancellationError()),
        .success(Profile(id: 2, name: "Bob", email: "b@b.c", version: number)),
      ]
    }
  }
}

extension Surroundings: PostService, PostClosureService {
  func posts(_ page: PageRequest) async throws -> Page<Post> { try await ask(postPage(page)) }
  func posts(_ page: PageRequest, completion: @escaping Completion<Page<Post>>) -> CancellationToken {
    ask(postPage(page), completion)
  }
  func delete(_ id: Post.ID) async throws { try await ask(change("delete", id)) }
  func delete(_ id: Post.ID, completion: @escaping Completion<Void>) -> CancellationToken {
    ask(change("delete", id), completion)
  }
  func restore(_ id: Post.ID) async throws { try await ask(change("restore", id)) }
  func restore(_ id: Post.ID, completion: @escaping Completion<Void>) -> CancellationToken {
    ask(change("restore", id), completion)
  }

  private func postPage(_ page: PageRequest) -> Request<Page<Post>> {
    pages("posts", page) { Post(id: Post.ID(rawValue: $0), title: "\($0), call \($1)", body: "") }
  }

  private func change(_ kind: String, _ id: Post.ID) -> Request<Void> {
    Request(text: "\(kind) \(id)", hasAccount: true) { _ in
      [
        .success(()), .failure(ServiceError.timedOut), .success(()), .failure(PostError.unknownPost(id)),
        .success(()), .failure(CancellationError()),
      ]
    }
  }
}

extension Surroundings: CartService, CartClosureService {
  func cart() async throws -> Cart { try await ask(currentCart) }
  func cart(completion: @escaping Completion<Cart>) -> CancellationToken { ask(currentCart, completion) }
  func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    try await ask(applied(change, key))
  }
  func apply(
    _ change: CartChange, key: IdempotencyKey, completion: @escaping Completion<Void>
  ) -> CancellationToken {
    ask(applied(change, key), completion)
  }

  private var currentCart: Request<Cart> {
    Request(text: "cart") { number in
      var cart = Cart()
      _ = try? cart.add(.numbered(1, stock: 5), quantity: 1 + number % 3)
      let one = cart
      _ = try? cart.add(.numbered(2, stock: 5), quantity: 1)
      return [
        .success(one), .failure(ServiceError.timedOut), .success(cart), .failure(CancellationError()),
        .success(Cart()),
      ]
    }
  }

  private func applied(_ change: CartChange, _ key: IdempotencyKey) -> Request<Void> {
    let id = change.product.id
    let text = "apply \(change.delta) of \(change.product.line), key \(outside.number(of: key))"
    return Request(text: text, hasAccount: true) { _ in
      [
        .success(()), .failure(ServiceError.timedOut), .success(()),
        .failure(CartError.refused(id, reason: "sold out")), .success(()), .failure(CancellationError()),
        .failure(ServiceError.notFound("\(id)")),
      ]
    }
  }
}

extension Surroundings: CartStorage, CartClosureStorage {
  func load() async throws -> StoredValue<SavedCart> { StoredValue(outside.savedCart) }
  func load(completion: @escaping Completion<StoredValue<SavedCart>>) -> CancellationToken {
    completion(.success(StoredValue(outside.savedCart)))
    return .finished
  }
  func save(_ cart: SavedCart) async throws {
    try await ask(write(line(of: cart)))
    outside.store(cart)
  }
  func save(_ cart: SavedCart, completion: @escaping Completion<Void>) -> CancellationToken {
    ask(write(line(of: cart))) { [self] result in
      if case .success = result { outside.store(cart) }
      completion(result)
    }
  }

  func line(of cart: SavedCart) -> String {
    let changes = cart.unanswered.map {
      "\($0.change.delta) of \($0.change.product.id), key \(outside.number(of: $0.key))"
    }
    return "\(cart.cart.line), unanswered \(changes)"
  }

  private func write(_ text: String) -> Request<Void> {
    Request(text: "write \(text)") { _ in
      [.success(()), .failure(ServiceError.tooLarge(limit: 1)), .success(()), .failure(CancellationError())]
    }
  }
}

extension Surroundings: ProfileDraftStorage, ProfileDraftClosureStorage {
  func load() async throws -> StoredValue<SavedProfileDraft> { StoredValue(outside.savedDraft) }
  func load(completion: @escaping Completion<StoredValue<SavedProfileDraft>>) -> CancellationToken {
    completion(.success(StoredValue(outside.savedDraft)))
    return .finished
  }
  func save(_ draft: SavedProfileDraft) async throws {
    try await ask(write("\(draft)"))
    outside.store(draft)
  }
  func save(_ draft: SavedProfileDraft, completion: @escaping Completion<Void>) -> CancellationToken {
    write(draft, completion)
  }
  func clear() async throws {
    try await ask(write("nothing"))
    outside.store(SavedProfileDraft?.none)
  }
  func clear(completion: @escaping Completion<Void>) -> CancellationToken { write(nil, completion) }

  private func write(
    _ draft: SavedProfileDraft?, _ completion: @escaping Completion<Void>
  ) -> CancellationToken {
    ask(write(draft.map { "\($0)" } ?? "nothing")) { [self] result in
      if case .success = result { outside.store(draft) }
      completion(result)
    }
  }
}

extension CatalogProduct {
  static func numbered(_ id: Int, stock: Int) -> CatalogProduct {
    CatalogProduct(
      id: ID(rawValue: id), name: "Product \(id)", price: Money(minorUnits: id, currency: .usd), stock: stock)
  }

  /// What the stages can make different.
  var line: String { "product \(id) (\(price.minorUnits), stock \(stock))" }
}

extension Cart {
  var line: String { "\(items.map { "\($0.quantity) of \($0.product.line)" })" }
}
