import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization

extension Scenario {
  static let accountChanged = inEachStage(
    "dashboard/account-changed",
    """
    the account changes elsewhere during loads, refreshes and a cancellation: at rest, every part shows the newest account, or the \
    next load shows it; no burst of notifications causes more than two loads of a part for each of them
    """, tasks: 5,
    inOneAccount { world, stage, tracker in
      let center = CountingNotificationCenter()
      let account = Account(world: world)
      let model = stage.makeDashboard(
        profile: account, orders: account, recommendations: account,
        reloadingAfter: .storefrontAccountDidChange,
        from: center, isolation: world.isolation)
      tracker.track(model.subject)
      world.spawn("opens") { await model.load().value }
      world.spawn("changes") {
        for _ in 0..<3 {
          try await world.faults.latency()
          account.change()
          center.post(.storefrontAccountDidChange)
        }
      }
      world.spawn("refreshes", canBeLeftOut: true) { await model.refresh().value }
      let isCancelled = world.flip()
      if isCancelled {
        world.spawn("leaves", canBeLeftOut: true) {
          try await world.faults.latency()
          await model.cancel()
        }
      }
      await world.settle()
      world.expect(!model.state.isLoading, "\(model.state.loadingParts) still loading")
      // A load, a refresh, and at most one more for each notification.
      world.expect(account.requests.begun <= 3 * 5, "\(account.requests.begun) requests")
      if isCancelled || !model.state.failures.isEmpty {
        await model.retryFailed()
        await world.settle()
      }
      while !model.state.isUpToDate {
        await model.load()
        await world.settle()
      }
      world.expectEqual(model.state.profile.value?.version, account.version, "the profile:")
      world.expectEqual(model.state.orders.value?.first?.id, account.version, "the orders:")
      world.expectEqual(
        model.state.recommendations.value?.first?.id.rawValue, account.version, "the recommendations:")
    })
}

extension DashboardState {
  /// Whether every part has content that is not older than the latest notification.
  fileprivate var isUpToDate: Bool {
    outdatedParts.isEmpty && profile.value != nil && orders.value != nil && recommendations.value != nil
  }
}

/// An account whose parts all show the number of changes so far. A request reads the number at some time before it is answered.
private final class Account: ProfileService, OrderService, RecommendationService {
  private let world: SimulatedWorld
  private let number = Mutex(1)
  let requests = EventLog<Void>()

  init(world: SimulatedWorld) { self.world = world }

  var version: Int { number.withLock { $0 } }

  func change() { number.withLock { $0 += 1 } }

  private func read(failing: Bool = false) async throws -> Int {
    requests.begin()
    try await world.faults.latency()
    let version = version
    if failing { try world.faults.failure(ServiceError.timedOut) }
    if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
    return version
  }

  func profile() async throws -> Profile {
    Profile(id: 1, name: "Ada", email: "ada@example.com", version: try await read())
  }

  func orders() async throws -> [Order] {
    [
      Order(
        id: try await read(failing: true), total: Money(minorUnits: 1, currency: .usd), itemCount: 1,
        status: .placed)
    ]
  }

  func recommendations() async throws -> [CatalogProduct] {
    [
      CatalogProduct(
        id: CatalogProduct.ID(rawValue: try await read()), name: "Lamp",
        price: Money(minorUnits: 1, currency: .usd), stock: 1)
    ]
  }
}

extension Account: ProfileClosureService, OrderClosureService, RecommendationClosureService {
  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    callBack(in: world, completion) { try await self.profile() }
  }

  func orders(completion: @escaping @Sendable (Result<[Order], any Error>) -> Void) -> CancellationToken {
    callBack(in: world, completion) { try await self.orders() }
  }

  func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { try await self.recommendations() }
  }
}
