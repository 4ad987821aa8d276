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
    A part that fails does not touch the others; each part is shown as soon as it is there, and stays, \
    whatever is refreshed, retried or called off meanwhile
    """, tasks: 4
  ) { world, stage, tracker in
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
    let isCalledOff = world.flip()
    world.spawn("opens") {
      await model.load().value
      if !isCalledOff { world.expect(model.state.profile.value != nil, "a load is over without the profile") }
    }
    world.spawn("refreshes", canBeLeftOut: true) { await model.refresh().value }
    world.spawn("retries", canBeLeftOut: true) {
      await Task.yield()
      await model.retryFailed().value
    }
    if isCalledOff {
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
    if !isCalledOff { world.expectEqual(state.profile.value?.name ?? "", "Ada") }

    if world.flip() {
      let refresh = await model.refresh()
      try await world.faults.latency()
      await model.cancel()
      let calledOff = DashboardLook(model.state)
      world.expect(!calledOff.isLoading, "loading after a cancel")
      await world.expectQuiet(model.states())
      world.expectEqual(DashboardLook(model.state), calledOff, "after a cancel:")
      await refresh.value
    }
    if world.flip() { await model.refresh() }
    if stage == .closure { screen.cancel() }
  }
}

/// What a screen makes of the state of a dashboard.
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
    hasOrders = if case .empty = state.orders { true } else { false }
    hasRecommendations = if case .empty = state.recommendations { true } else { false }
  }

  /// Whether everything is there that was before.
  func keeps(_ former: DashboardLook) -> Bool {
    (hasProfile || !former.hasProfile) && (hasOrders || !former.hasOrders)
      && (hasRecommendations || !former.hasRecommendations)
  }
}

/// The parts of a dashboard: one that is late, one that also fails and takes no notice of cancellation, and one with nothing in it.
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

  func recommendations() async throws -> [Product] {
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
    completion: @escaping @Sendable (Result<[Product], any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { try await recommendations() }
  }
}
