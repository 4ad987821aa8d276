import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// A completion handler is called once, even if the view model is released meanwhile. The methods with
/// completion handlers have the same names in the closure and stream stages, so each scenario covers both.
extension Scenario {
  static let answeredByTheGone: [Scenario] =
    answeredByACart + answeredByPosts + answeredByAProfile + answeredByADashboard

  private static let answeredByACart = onQueues(
    "cart/answers-each-call-once",
    """
    each change runs to its end and is answered once, on the callback queue, with the outcome from the \
    service, even if the cart is released meanwhile
    """, tasks: 4
  ) { world, stage, tracker in
    let nail = CatalogProduct(id: 3, name: "Nail", price: .zero(in: .usd), stock: 1_000)
    let calls = CountedCalls(in: world)
    let service = ShakyCart(world: world)
    await use(in: world) { () -> any CartCalls in
      stage == .closure
        ? tracker.track(CartClosureViewModel(service: service, callbackQueue: calls.queue))
        : tracker.track(CartStreamViewModel(service: service, callbackQueue: calls.queue))
    } first: { model in
      calls.make("add 1") { model.add(nail, quantity: 1, completion: $0) }
    } second: { model in
      calls.make("add 10") { model.add(nail, quantity: 10, completion: $0) }
      if world.flip() { await Task.yield() }
      calls.make("remove") { model.remove(3, completion: $0) }
    }
    calls.expectOneAnswerEach()
    let deltas = service.confirmed.values.map(\.delta)
    for (name, isConfirmed) in [
      ("add 1", deltas.contains(1)), ("add 10", deltas.contains(10)), ("remove", deltas.contains { $0 < 0 }),
    ] {
      let isSuccess = calls.answers.contains { $0 == .init(name: name, isSuccess: true) }
      world.expectEqual(isSuccess, isConfirmed, "\(name):")
    }
  }

  private static let answeredByPosts = onQueues(
    "posts/answers-each-call-once",
    """
    each load, each deletion and each restoration is answered once, on the callback queue, even if the posts \
    are released meanwhile; deletions and restorations run to their ends, one after the other, and their \
    answers are the outcomes from the service
    """, tasks: 4
  ) { world, stage, tracker in
    let calls = CountedCalls(in: world)
    let service = ShakyPosts(world: world)
    await use(in: world) { () -> any PostsCalls in
      stage == .closure
        ? tracker.track(PostsClosureViewModel(service: service, callbackQueue: calls.queue))
        : tracker.track(PostsStreamViewModel(service: service, callbackQueue: calls.queue))
    } first: { model in
      calls.make("load 1") { done in model.load { done(.success(())) } }
      await world.settle()
      calls.make("delete 1") { model.delete(1, completion: $0) }
    } second: { model in
      calls.make("load 2") { done in model.load { done(.success(())) } }
      await world.settle()
      calls.make("delete 3") { model.delete(3, completion: $0) }
      if world.flip() { await Task.yield() }
      calls.make("restore 3") { model.restore(3, completion: $0) }
      calls.make("refresh") { done in model.refresh { done(.success(())) } }
    }
    calls.expectOneAnswerEach()
    for id in [1, 3] {
      let isDeleted = calls.answers.contains { $0 == .init(name: "delete \(id)", isSuccess: true) }
      world.expectEqual(isDeleted, service.deleted.values.contains(id), "deleted:")
    }
    let isRestored = calls.answers.contains { $0 == .init(name: "restore 3", isSuccess: true) }
    let isUndone = isRestored && service.deleted.values.contains(3)
    world.expectEqual(service.restored.values, isUndone ? [3] : [], "restored:")
  }

  private static let answeredByAProfile = onQueues(
    "profile/answers-each-call-once",
    """
    each load and each save is answered once, on the callback queue, even if the profile is released \
    meanwhile; a save runs to its end, and its answer is the outcome from the service
    """, tasks: 4
  ) { world, stage, tracker in
    let calls = CountedCalls(in: world)
    let stored = StateStore(Profile(id: 1, name: "Ada", email: "a@b.c"))
    let service = ShakyProfile(world: world, stored: stored)
    await use(in: world) { () -> any ProfileCalls in
      stage == .closure
        ? tracker.track(ProfileClosureViewModel(service: service, callbackQueue: calls.queue))
        : tracker.track(ProfileStreamViewModel(service: service, callbackQueue: calls.queue))
    } first: { model in
      calls.make("load") { done in model.load { done(.success(())) } }
      await world.settle()
      try? model.edit(.name, to: "Ad")
      calls.make("save") { model.save(completion: $0) }
    } second: { model in
      await world.settle(movingTime: false)
      try? model.revert()
      calls.make("refresh") { done in model.refresh { done(.success(())) } }
      if world.flip() { model.cancel() }
      calls.make("resolve") { model.resolve(.keepingMine, completion: $0) }
    }
    calls.expectOneAnswerEach()
    if stored.value.version > 1 {
      world.expect(
        calls.answers.contains(.init(name: "save", isSuccess: true)), "saved, but reported as failed")
    }
  }

  private static let answeredByADashboard = onQueues(
    "dashboard/answers-each-call-once",
    """
    each load is answered once, on the callback queue, when each of its parts has arrived, failed or been \
    cancelled; this also holds if the dashboard is released and its parts are therefore cancelled
    """, tasks: 4
  ) { world, stage, tracker in
    let calls = CountedCalls(in: world)
    let service = ShakyShop(world: world)
    await use(in: world) { () -> any DashboardCalls in
      stage == .closure
        ? tracker.track(
          DashboardClosureViewModel(
            profile: service, orders: service, recommendations: service, callbackQueue: calls.queue))
        : tracker.track(
          DashboardStreamViewModel(
            profile: service, orders: service, recommendations: service, callbackQueue: calls.queue))
    } first: { model in
      calls.make("load") { done in model.load { done(.success(())) } }
      if world.flip() { await Task.yield() }
      calls.make("retry") { done in model.retryFailed { done(.success(())) } }
    } second: { model in
      calls.make("refresh") { done in model.refresh { done(.success(())) } }
      try await world.faults.latency()
      if world.flip() { model.cancel() }
    }
    calls.expectOneAnswerEach()
  }

  /// Two tasks use a view model and are its only owners. Returns when the world has settled.
  private static func use<Model: Sendable>(
    in world: SimulatedWorld, _ make: () -> Model, first: @escaping @Sendable (Model) async throws -> Void,
    second: @escaping @Sendable (Model) async throws -> Void
  ) async {
    for user in hand(make(), to: [first, second], in: world) { await user.waitForEnd() }
    await world.settle()
  }

  /// Starts one task for each user, and passes the view model to these tasks.
  ///
  /// This is a separate function because a local variable of ``use(in:_:first:second:)`` would keep the view
  /// model alive until the users have ended.
  private static func hand<Model: Sendable>(
    _ model: Model, to users: [@Sendable (Model) async throws -> Void], in world: SimulatedWorld
  ) -> [SimulatedTask] {
    users.enumerated().map { number, user in
      world.spawn("user \(number + 1)") {
        if world.flip() { await Task.yield() }
        try await user(model)
      }
    }
  }
}

private typealias Done<Value> = @Sendable (Result<Value, any Error>) -> Void

private protocol CartCalls: AnyObject, Sendable {
  func add(_ product: CatalogProduct, quantity: Int, completion: @escaping Done<Void>)
  func remove(_ id: CatalogProduct.ID, completion: @escaping Done<Void>)
}

extension CartClosureViewModel: CartCalls {}
extension CartStreamViewModel: CartCalls {}

private protocol PostsCalls: AnyObject, Sendable {
  func load(completion: (@Sendable () -> Void)?)
  func refresh(completion: (@Sendable () -> Void)?)
  func delete(_ id: Post.ID, completion: @escaping Done<Void>)
  func restore(_ id: Post.ID, completion: @escaping Done<Void>)
}

extension PostsClosureViewModel: PostsCalls {}
extension PostsStreamViewModel: PostsCalls {}

private protocol ProfileCalls: AnyObject, Sendable {
  func load(completion: (@Sendable () -> Void)?)
  func refresh(completion: (@Sendable () -> Void)?)
  func edit(_ field: ProfileField, to text: String) throws(ProfileEditError)
  func revert() throws(ProfileEditError)
  func save(completion: @escaping Done<Void>)
  func resolve(_ choice: ProfileConflictChoice, completion: @escaping Done<Void>)
  func cancel()
}

extension ProfileClosureViewModel: ProfileCalls {}
extension ProfileStreamViewModel: ProfileCalls {}

private protocol DashboardCalls: AnyObject, Sendable {
  func load(completion: (@Sendable () -> Void)?)
  func refresh(completion: (@Sendable () -> Void)?)
  func retryFailed(completion: (@Sendable () -> Void)?)
  func cancel()
}

extension DashboardClosureViewModel: DashboardCalls {}
extension DashboardStreamViewModel: DashboardCalls {}
