import Domain
import ViewModelTesting
import ViewModels

extension Scenario {
  static let dashboardWithAFailingPart = Scenario(
    "dashboard/failing-part",
    """
    A part that fails does not touch the others; each part is shown as soon as it is there, \
    whatever is reloaded, retried or called off meanwhile
    """, tasks: 4
  ) { world in
    struct Service: ProfileService, OrderService, RecommendationService {
      let world: World

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
    let service = Service(world: world)
    let model = DashboardViewModel(
      profile: service, orders: service, recommendations: service, isolation: world.isolation)
    world.spawn("opens") { await model.load().value }
    world.spawn("reloads", canBeLeftOut: true) { await model.reload().value }
    world.spawn("retries", canBeLeftOut: true) {
      await Task.yield()
      await model.retryFailed().value
    }
    let isCalledOff = world.flip()
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
    if !isCalledOff {
      world.expectEqual(state.profile.value?.name ?? "", "Ada")
      world.expectEqual(state.loadingParts, [], "still loading:")
    }
  }
}
