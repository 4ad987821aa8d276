import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The catalog in sections: the time until all pages show.
enum CatalogBenchmarks {
  private static let pageSize = 500

  /// Creates a view model for each iteration, because a loaded catalog does not load again.
  static func loading(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Catalog", title: "load the sections by \(pageSize)", unit: "catalog", backend: .memory,
      catalog: catalog
    ) { stage, storefronts in
      switch stage {
      case .closure:
        return .opening {
          ProductCatalogClosureViewModel(
            service: storefronts.closure, pageSize: pageSize,
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
          ProductCatalogStreamViewModel(service: storefronts.closure, pageSize: pageSize)
        } load: {
          $0.load()
        } outcome: {
          $0.outcome
        }
      case .async:
        return .opening {
          ProductCatalogViewModel(service: storefronts.async, pageSize: pageSize)
        } load: {
          await $0.load()
        } outcome: {
          $0.outcome
        }
      }
    }
  }
}

extension CatalogState {
  /// Whether all pages were loaded. `nil` while they are being loaded.
  fileprivate var outcome: Result<Void, any Error>? {
    if let failure { return .failure(failure) }
    return pendingRequest == nil && isComplete ? .success(()) : nil
  }
}
