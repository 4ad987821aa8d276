import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The dashboard, whose three parts load in parallel: the time until all three show.
enum DashboardBenchmarks {
  static func groups(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    [assembly(.http(server), catalog), assembly(.memory, catalog)].map(\.group)
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

extension DashboardState {
  /// Whether all parts were loaded. `nil` until every part has its answer.
  fileprivate var outcome: Result<Void, any Error>? {
    if isLoading || (profile.value == nil && failures.isEmpty) { return nil }
    return failures.values.first.map { .failure($0) } ?? .success(())
  }
}
