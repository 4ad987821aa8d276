import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// A view model calls each completion handler of its callers once, even if its service answers a request twice.
@Suite("Completion handlers of callers, if a service answers twice", .timeLimit(.minutes(5)), .endsWaits)
struct RepeatedCompletionsContract {
  private let service = RepeatingService()
  private let queue = DispatchQueue(label: "callbacks")

  @Test("a load completes once", arguments: [MigrationStage.closure, .stream], Feature.allCases)
  func load(stage: MigrationStage, feature: Feature) async throws {
    let first = 0..<feature.requestCount
    let second = first.upperBound..<2 * feature.requestCount
    try await LeakTracker.check { tracker in
      let (loads, refreshes) = (Tally(), Tally())
      let model = tracker.track(feature.makeModel(stage, service, queue))
      model.load { loads.increment() }
      try await service.answer(first, .success(1))
      try await until { loads.count > 0 }
      model.refresh { refreshes.increment() }
      try await service.waitForRequests(second.upperBound)
      try await service.answer(first, .success(2))
      try await service.answer(second, .success(3))
      try await until { refreshes.count > 0 }
      try await service.answer(0..<second.upperBound, .failure(ServiceError.busy))
      // The view model's queue handles this call after the second answers.
      model.cancel()
      await drain()
      #expect(loads.count == 1)
      #expect(refreshes.count == 1)
    }
  }

  @Test(
    "a save, a deletion and a change of the cart complete once", arguments: [MigrationStage.closure, .stream])
  func mutations(stage: MigrationStage) async throws {
    try await LeakTracker.check { tracker in
      let (saves, deletions, changes) = (Tally(), Tally(), Tally())
      let (profile, posts, cart) = makeModels(stage)
      tracker.track(profile)
      tracker.track(posts)
      tracker.track(cart)
      profile.load(completion: nil)
      posts.load(completion: nil)
      try await service.answer(0..<2, .success(3))
      try await until { profile.state.draft != nil && !posts.state.posts.isEmpty }
      try profile.edit(.name, to: "Typed")
      profile.save { _ in saves.increment() }
      posts.delete(1) { _ in deletions.increment() }
      cart.add(.apple, quantity: 1) { _ in changes.increment() }
      try await service.answer(2..<5, .success(3))
      try await until { saves.count > 0 && deletions.count > 0 && changes.count > 0 }
      try await service.answer(2..<5, .success(3))
      try await service.answer(2..<5, .failure(ServiceError.busy))
      // The queues of the view models handle these calls after the second answers.
      try profile.edit(.name, to: "Later")
      try posts.select(2)
      let removals = Tally()
      cart.remove(CatalogProduct.apple.id) { _ in removals.increment() }
      try await service.answer(5..<6, .success(3))
      try await until { removals.count > 0 }
      await drain()
      #expect(saves.count == 1)
      #expect(deletions.count == 1)
      #expect(changes.count == 1)
    }
  }

  /// Waits until the callback queue has called all completion handlers. The dashboard enqueues its completion handlers on this queue
  /// from blocks on this queue.
  private func drain() async {
    for _ in 0..<2 { await withCheckedContinuation { done in queue.async { done.resume() } } }
  }

  private func makeModels(
    _ stage: MigrationStage
  ) -> (any SavingViewModel, any DeletingViewModel, any CartChangingViewModel) {
    stage == .closure
      ? (
        ProfileClosureViewModel(service: service, callbackQueue: queue),
        PostsClosureViewModel(service: service, callbackQueue: queue),
        CartClosureViewModel(service: service, callbackQueue: queue)
      )
      : (
        ProfileStreamViewModel(service: service, callbackQueue: queue),
        PostsStreamViewModel(service: service, callbackQueue: queue),
        CartStreamViewModel(service: service, callbackQueue: queue)
      )
  }
}

extension Feature {
  /// Creates the view model of a stage with completion handlers.
  fileprivate func makeModel(
    _ stage: MigrationStage, _ service: RepeatingService, _ queue: DispatchQueue
  ) -> any LoadingViewModel {
    switch (self, stage == .closure) {
    case (.list, true): ProductListClosureViewModel(service: service, callbackQueue: queue)
    case (.list, false): ProductListStreamViewModel(service: service, callbackQueue: queue)
    case (.catalog, true):
      CatalogClosureViewModel<String, CatalogProduct>(service: service, section: \.name, callbackQueue: queue)
    case (.catalog, false):
      CatalogStreamViewModel<String, CatalogProduct>(service: service, section: \.name, callbackQueue: queue)
    case (.search, true):
      SearchClosureViewModel<CatalogProduct>(
        service: service, scheduler: VirtualClock(), callbackQueue: queue)
    case (.search, false):
      SearchStreamViewModel<CatalogProduct>(service: service, scheduler: VirtualClock(), callbackQueue: queue)
    case (.posts, true): PostsClosureViewModel(service: service, callbackQueue: queue)
    case (.posts, false): PostsStreamViewModel(service: service, callbackQueue: queue)
    case (.detail, true):
      ProductDetailClosureViewModel(itemID: 1, source: .list, service: service, callbackQueue: queue)
    case (.detail, false):
      ProductDetailStreamViewModel(itemID: 1, source: .list, service: service, callbackQueue: queue)
    case (.page, true):
      ProductPageClosureViewModel(
        itemID: 1, source: .list, service: service,
        cart: MigrationStage.closure.makeSharedCart().closures, updateInterval: .zero, callbackQueue: queue)
    case (.page, false):
      ProductPageStreamViewModel(
        itemID: 1, source: .list, service: service,
        cart: MigrationStage.stream.makeSharedCart().closures, updateInterval: .zero, callbackQueue: queue)
    case (.profile, true): ProfileClosureViewModel(service: service, callbackQueue: queue)
    case (.profile, false): ProfileStreamViewModel(service: service, callbackQueue: queue)
    case (.dashboard, true):
      DashboardClosureViewModel(
        profile: service, orders: service, recommendations: service, callbackQueue: queue)
    case (.dashboard, false):
      DashboardStreamViewModel(
        profile: service, orders: service, recommendations: service, callbackQueue: queue)
    case (.cart, _): fatalError("the cart has other tests")
    }
  }
}

/// The view model of a stage with completion handlers.
private protocol LoadingViewModel: AnyObject, Sendable {
  func load(completion: (@Sendable () -> Void)?)
  func refresh(completion: (@Sendable () -> Void)?)
  func cancel()
}

extension ProductListClosureViewModel: LoadingViewModel {}
extension ProductListStreamViewModel: LoadingViewModel {}
extension CatalogClosureViewModel: LoadingViewModel {}
extension CatalogStreamViewModel: LoadingViewModel {}
extension SearchClosureViewModel: SearchingViewModel {}
extension SearchStreamViewModel: SearchingViewModel {}
extension PostsClosureViewModel: DeletingViewModel {}
extension PostsStreamViewModel: DeletingViewModel {}
extension ProductDetailClosureViewModel: LoadingViewModel {}
extension ProductDetailStreamViewModel: LoadingViewModel {}
extension ProductPageClosureViewModel: LoadingViewModel {}
extension ProductPageStreamViewModel: LoadingViewModel {}
extension ProfileClosureViewModel: SavingViewModel {}
extension ProfileStreamViewModel: SavingViewModel {}
extension DashboardClosureViewModel: LoadingViewModel {}
extension DashboardStreamViewModel: LoadingViewModel {}
extension CartClosureViewModel: CartChangingViewModel {}
extension CartStreamViewModel: CartChangingViewModel {}

/// A search, whose loads are submissions of a query.
private protocol SearchingViewModel: LoadingViewModel {
  func setQuery(_ query: String)
  func submit(completion: (@Sendable () -> Void)?)
}

extension SearchingViewModel {
  func load(completion: (@Sendable () -> Void)?) { submit("tea", completion) }
  func refresh(completion: (@Sendable () -> Void)?) { submit("teapot", completion) }

  private func submit(_ query: String, _ completion: (@Sendable () -> Void)?) {
    setQuery(query)
    submit(completion: completion)
  }
}

private protocol SavingViewModel: LoadingViewModel {
  var state: ProfileState { get }
  func edit(_ field: ProfileField, to text: String) throws(ProfileEditError)
  func save(completion: @escaping @Sendable (Result<Void, any Error>) -> Void)
}

private protocol DeletingViewModel: LoadingViewModel {
  var state: PostsState { get }
  func select(_ id: Post.ID) throws(PostError)
  func delete(_ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void)
}

private protocol CartChangingViewModel: AnyObject, Sendable {
  func add(
    _ product: CatalogProduct, quantity: Int,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  )
  func remove(_ id: CatalogProduct.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void)
}
