import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// Product pages that share one cart: the time until an addition on one page shows on all of them, without an update interval.
enum ProductPageBenchmarks {
  static func groups(catalog: Catalog) -> [BenchmarkGroup] { [sharedAdditions(catalog).group] }

  private static let pageCount = 4

  /// Adds the product on one page after the other, without a service. Waits after each addition until every page shows it.
  private static func sharedAdditions(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Product page", title: "add on one of \(pageCount) pages, and see it on all", unit: "addition",
      backend: .memory, catalog: catalog, isOneFeature: false
    ) { stage, _ in
      let callbacks = DispatchQueue(label: "callbacks")
      switch stage {
      case .closure:
        let cart = CartRelay(CartClosureViewModel(callbackQueue: callbacks))
        let pages = (0..<pageCount).map { _ in
          ProductPageClosureViewModel(
            itemID: CatalogProduct.plenty.id, source: .list, service: PlentyService(), cart: cart,
            updateInterval: .zero, callbackQueue: callbacks)
        }
        let watches = pages.map { _ in StateWatch<ProductPageState>() }
        let bindings = zip(pages, watches).map { page, watch in page.bind { watch.observe($0) } }
        return Workload(
          run: { iterations in
            for page in pages { await loaded { page.load(completion: $0) } }
            let first = pages[0].state.quantityInCart
            for number in 1...iterations {
              pages[number % pageCount].add()
              for watch in watches { _ = await watch.first { $0.quantityInCart == first + number } }
            }
            return iterations
          }, tearDown: { for binding in bindings { binding.cancel() } })
      case .stream:
        let cart = CartStreamViewModel(callbackQueue: callbacks)
        let pages = (0..<pageCount).map { _ in
          ProductPageStreamViewModel(
            itemID: CatalogProduct.plenty.id, source: .list, service: PlentyService(), cart: cart,
            updateInterval: .zero, callbackQueue: callbacks)
        }
        return Workload { iterations in
          for page in pages { await loaded { page.load(completion: $0) } }
          var states = pages.map { $0.states().makeAsyncIterator() }
          let first = pages[0].state.quantityInCart
          for number in 1...iterations {
            pages[number % pageCount].add()
            for index in states.indices {
              _ = try await states[index].first { $0.quantityInCart == first + number }
            }
          }
          return iterations
        }
      case .async:
        let cart = CartViewModel()
        let pages = (0..<pageCount).map { _ in
          ProductPageViewModel(
            itemID: CatalogProduct.plenty.id, source: .list, service: PlentyService(), cart: cart,
            updateInterval: .zero)
        }
        return Workload { iterations in
          for page in pages { await page.load() }
          var states = pages.map { $0.states().makeAsyncIterator() }
          let first = pages[0].state.quantityInCart
          for number in 1...iterations {
            try await pages[number % pageCount].add()
            for index in states.indices {
              _ = try await states[index].first { $0.quantityInCart == first + number }
            }
          }
          return iterations
        }
      }
    }
  }

  private static func loaded(_ load: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in load { continuation.resume() } }
  }
}

/// Answers at once with a product that never sells out.
struct PlentyService: DetailService, DetailClosureService {
  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct { .plenty }

  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(.plenty))
    return .finished
  }
}
