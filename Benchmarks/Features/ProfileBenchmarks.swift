import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The profile: the time until it shows.
enum ProfileBenchmarks {
  /// Creates a view model for each iteration, because a loaded profile does not load again.
  static func opening(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Profile", title: "open the profile", unit: "profile", backend: .memory, catalog: catalog
    ) { stage, storefronts in
      switch stage {
      case .closure:
        return .opening {
          ProfileClosureViewModel(
            service: storefronts.closure, callbackQueue: DispatchQueue(label: "callbacks"))
        } bind: {
          $0.bind($1)
        } load: {
          $0.load()
        } outcome: {
          $0.content.outcome
        }
      case .stream:
        return .opening {
          ProfileStreamViewModel(service: storefronts.closure)
        } load: {
          $0.load()
        } outcome: {
          $0.content.outcome
        }
      case .async:
        return .opening {
          ProfileViewModel(service: storefronts.async)
        } load: {
          await $0.load()
        } outcome: {
          $0.content.outcome
        }
      }
    }
  }
}
