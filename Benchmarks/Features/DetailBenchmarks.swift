import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The detail of a product: the time until it shows.
enum DetailBenchmarks {
  /// Creates a view model for each iteration, because a loaded product does not load again.
  static func opening(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Detail", title: "open a product", unit: "product", backend: .memory, catalog: catalog
    ) { stage, storefronts in
      guard let id = catalog.products.first?.id else { throw NothingToShow() }
      switch stage {
      case .closure:
        return .opening {
          ProductDetailClosureViewModel(
            itemID: id, source: .list, service: storefronts.closure,
            callbackQueue: DispatchQueue(label: "callbacks"))
        } bind: {
          $0.bind($1)
        } load: {
          $0.load()
        } outcome: {
          $0.content.outcome
        }
      case .stream:
        return .opening {
          ProductDetailStreamViewModel(itemID: id, source: .list, service: storefronts.closure)
        } load: {
          $0.load()
        } outcome: {
          $0.content.outcome
        }
      case .async:
        return .opening {
          ProductDetailViewModel(itemID: id, source: .list, service: storefronts.async)
        } load: {
          await $0.load()
        } outcome: {
          $0.content.outcome
        }
      }
    }
  }
}

/// The error of a catalog without products.
private struct NothingToShow: Error, CustomStringConvertible {
  var description: String { "the catalog has no product" }
}
