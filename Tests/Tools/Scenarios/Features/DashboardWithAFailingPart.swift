import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let dashboardWithAFailingPart = inEachStage(
    "dashboard/failing-part",
    """
    a part that fails does not affect the others; each part shows as soon as it arrives, and stays \
    during a refresh, a retry or a cancellation
    """, tasks: 4,
    inOneAccount { world, stage, tracker in
      let service = ShakyShop(world: world)
      let model = stage.makeDashboard(
        profile: service, orders: service, recommendations: service, isolation: world.isolation)
      tracker.track(model.subject)
      let looks = EventLog<DashboardLook>()
      let states = model.states()
      let screen = world.spawn("screen") {
        for await state in states {
          let look = DashboardLook(state)
          if let former = looks.values.last { world.expect(look.keeps(former), "\(look) after \(former)") }
          looks.append(look)
        }
      }
      let isCancelled = world.flip()
      world.spawn("opens") {
        await model.load().value
        if !isCancelled { world.expect(model.state.profile.value != nil, "a load ended without the profile") }
      }
      world.spawn("refreshes", canBeLeftOut: true) { await model.refresh().value }
      world.spawn("retries", canBeLeftOut: true) {
        await Task.yield()
        await model.retryFailed().value
      }
      if isCancelled {
        world.spawn("leaves") {
          try await world.faults.latency()
          await model.cancel()
        }
      }
      await world.settle()
      let state = model.state
      world.expect(!state.isLoading, "\(state.loadingParts) still loading")
      world.expect(Set(state.failures.keys).isSubset(of: [.orders]), "\(state.failures) failed")
      world.expectEqual(looks.values.last, DashboardLook(state), "shown at rest:")
      if !isCancelled { world.expectEqual(state.profile.value?.name ?? "", "Ada") }

      if world.flip() {
        let refresh = await model.refresh()
        try await world.faults.latency()
        await model.cancel()
        let cancelled = DashboardLook(model.state)
        world.expect(!cancelled.isLoading, "loading after a cancel")
        await world.expectQuiet(model.states())
        world.expectEqual(DashboardLook(model.state), cancelled, "after a cancel:")
        await refresh.value
      }
      if world.flip() { await model.refresh() }
      if stage == .closure { screen.cancel() }
    })
}

/// The visible part of a dashboard's state.
private struct DashboardLook: Equatable, Sendable {
  let isLoading: Bool
  let ordersFailed: Bool
  let hasProfile: Bool
  let hasOrders: Bool
  let hasRecommendations: Bool

  init(_ state: DashboardState) {
    isLoading = state.isLoading
    ordersFailed = state.failures[.orders] != nil
    hasProfile = state.profile.value != nil
    hasOrders = if case .empty = state.orders.content { true } else { false }
    hasRecommendations = if case .empty = state.recommendations.content { true } else { false }
  }

  /// Whether this look shows everything that `former` shows.
  func keeps(_ former: DashboardLook) -> Bool {
    (hasProfile || !former.hasProfile) && (hasOrders || !former.hasOrders)
      && (hasRecommendations || !former.hasRecommendations)
  }
}

/// The services of a dashboard. All answers are late. The request for orders ignores cancellation and may
/// fail. The lists of orders and recommendations are empty.
struct ShakyShop: ProfileService, OrderService, RecommendationService {
  let world: SimulatedWorld

  func profile() async throws -> Profile {
    try await world.faults.latency()
    return Profile(id: 1, name: "Ada", email: "ada@example.com")
  }

  func orders() async throws -> [Order] {
    await world.faults.deafLatency()
    try world.faults.failure(ServiceError.timedOut)
    return []
  }

  func recommendations() async throws -> [CatalogProduct] {
    try await world.faults.latency()
    return []
  }
}

extension ShakyShop: ProfileClosureService, OrderClosureService, RecommendationClosureService {
  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    callBack(in: world, completion) { try await profile() }
  }

  func orders(completion: @escaping @Sendable (Result<[Order], any Error>) -> Void) -> CancellationToken {
    callBack(in: world, completion) { try await orders() }
  }

  func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { try await recommendations() }
  }
}
