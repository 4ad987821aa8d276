import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels
import Synchronization

/// The dashboard, whose three parts load in parallel: the time until all three show.
enum DashboardBenchmarks {
  static func groups(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    [assembly(.http(server), catalog), assembly(.memory, catalog), reloads(catalog)].map(\.group)
  }

  /// Creates a view model for each iteration, because a loaded dashboard does not load again.
  private static func assembly(_ backend: Backend, _ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Dashboard", title: "assemble all three parts", unit: "dashboard", backend: backend,
      catalog: catalog
    ) { stage, storefronts in
      let (services, closures) = (storefronts.async, storefronts.closure)
      switch stage {
      case .closure:
        return .opening {
          DashboardClosureViewModel(
            profile: closures, orders: closures, recommendations: closures,
            callbackQueue: DispatchQueue(label: "callbacks"))
        } bind: {
          $0.bind($1)
        } load: {
          $0.load()
        } outcome: {
          $0.outcome
        }
      case .stream:
        return .opening {
          DashboardStreamViewModel(
            profile: closures, orders: closures, recommendations: closures,
            callbackQueue: DispatchQueue(label: "callbacks"))
        } load: {
          $0.load()
        } outcome: {
          $0.outcome
        }
      case .async:
        return .opening {
          DashboardViewModel(profile: services, orders: services, recommendations: services)
        } load: {
          await $0.load()
        } outcome: {
          $0.outcome
        }
      }
    }
  }
}

extension DashboardBenchmarks {
  /// Posts one notification after the other. Waits after each of them until every part shows the new content.
  private static func reloads(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Dashboard", title: "reload after a notification", unit: "notification", backend: .memory,
      catalog: catalog
    ) { stage, _ in
      let (account, center) = (ChangingAccount(), NotificationCenter())
      let name = Notification.Name.storefrontAccountDidChange
      switch stage {
      case .closure:
        let viewModel = DashboardClosureViewModel(
          profile: account, orders: account, recommendations: account, reloadingAfter: name, from: center,
          callbackQueue: DispatchQueue(label: "callbacks"))
        let watch = StateWatch<DashboardState>()
        let binding = viewModel.bind { watch.observe($0) }
        return Workload(
          run: { iterations in
            viewModel.load()
            _ = await watch.first { $0.shows(account.version) }
            for _ in 0..<iterations {
              let version = account.change()
              center.post(name: name, object: nil)
              _ = await watch.first { $0.shows(version) }
            }
            return iterations
          }, tearDown: { binding.cancel() })
      case .stream:
        let viewModel = DashboardStreamViewModel(
          profile: account, orders: account, recommendations: account, reloadingAfter: name, from: center,
          callbackQueue: DispatchQueue(label: "callbacks"))
        return Workload { iterations in
          viewModel.load()
          return try await reload(viewModel.states(), account, center, iterations)
        }
      case .async:
        let viewModel = DashboardViewModel(
          profile: account, orders: account, recommendations: account, reloadingAfter: name, from: center)
        return Workload { iterations in
          await viewModel.load()
          return try await reload(viewModel.states(), account, center, iterations)
        }
      }
    }
  }

  private static func reload(
    _ states: AsyncStream<DashboardState>, _ account: ChangingAccount, _ center: NotificationCenter,
    _ iterations: Int
  ) async throws -> Int {
    var states = states.makeAsyncIterator()
    _ = try await states.first { $0.shows(account.version) }
    for _ in 0..<iterations {
      let version = account.change()
      center.post(name: .storefrontAccountDidChange, object: nil)
      _ = try await states.first { $0.shows(version) }
    }
    return iterations
  }
}

/// Answers at once. Every answer contains the number of changes so far.
private final class ChangingAccount: ProfileService, OrderService, RecommendationService {
  private let number = Mutex(1)

  var version: Int { number.withLock { $0 } }

  func change() -> Int {
    number.withLock {
      $0 += 1
      return $0
    }
  }

  func profile() async throws -> Profile { profile(version) }
  func orders() async throws -> [Order] { orders(version) }
  func recommendations() async throws -> [CatalogProduct] { recommendations(version) }

  private func profile(_ number: Int) -> Profile {
    Profile(id: 1, name: "Ada", email: "ada@example.com", version: number)
  }
  private func orders(_ number: Int) -> [Order] {
    [Order(id: number, total: Money(minorUnits: 1, currency: .usd), itemCount: 1, status: .placed)]
  }
  private func recommendations(_ number: Int) -> [CatalogProduct] {
    [
      CatalogProduct(
        id: CatalogProduct.ID(rawValue: number), name: "Lamp", price: Money(minorUnits: 1, currency: .usd),
        stock: 1)
    ]
  }
}

extension ChangingAccount: ProfileClosureService, OrderClosureService, RecommendationClosureService {
  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    completion(.success(profile(version)))
    return .finished
  }
  func orders(completion: @escaping @Sendable (Result<[Order], any Error>) -> Void) -> CancellationToken {
    completion(.success(orders(version)))
    return .finished
  }
  func recommendations(
    completion: @escaping @Sendable (Result<[CatalogProduct], any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(recommendations(version)))
    return .finished
  }
}

extension DashboardState {
  /// Whether every part shows the account after this number of changes, and none is being loaded.
  fileprivate func shows(_ version: Int) -> Bool {
    !isLoading && profile.value?.version == version && orders.value?.first?.id == version
      && recommendations.value?.first?.id.rawValue == version
  }

  /// Whether all parts were loaded. `nil` until every part has its answer.
  fileprivate var outcome: Result<Void, any Error>? {
    if isLoading || (profile.value == nil && failures.isEmpty) { return nil }
    return failures.values.first.map { .failure($0) } ?? .success(())
  }
}
