import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import ListSnapshots
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels
import Synchronization

/// The catalog in sections: the time until all pages show, and the time until a refresh shows what has changed.
enum CatalogBenchmarks {
  static func groups(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    [loading(.http(server), catalog), loading(.memory, catalog), refreshes(catalog)].map(\.group)
  }

  private static let pageSize = 500

  /// Creates a view model for each iteration, because a loaded catalog does not load again.
  private static func loading(_ backend: Backend, _ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Catalog", title: "load the sections by \(pageSize)", unit: "catalog", backend: backend,
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

  /// Refreshes a catalog in which one of a hundred prices has changed. Waits after each refresh until the new prices show.
  private static func refreshes(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Catalog", title: "refresh, and see the changed prices", unit: "refresh", backend: .memory,
      catalog: catalog
    ) { stage, _ in
      let service = ChangingPages(catalog.products)
      switch stage {
      case .closure:
        return .changing(
          ProductCatalogClosureViewModel(
            service: service, pageSize: pageSize, callbackQueue: DispatchQueue(label: "callbacks"))
        ) {
          $0.bind($1)
        } begin: { viewModel in
          await Workload.completion { viewModel.load(completion: $0) }
        } change: { viewModel in
          let changed = service.change()
          viewModel.refresh()
          return { $0.shows(changed) }
        }
      case .stream:
        return .changing(
          ProductCatalogStreamViewModel(
            service: service, pageSize: pageSize, callbackQueue: DispatchQueue(label: "callbacks"))
        ) { viewModel in
          await Workload.completion { viewModel.load(completion: $0) }
        } change: { viewModel in
          let changed = service.change()
          viewModel.refresh()
          return { $0.shows(changed) }
        }
      case .async:
        return .changing(ProductCatalogViewModel(service: service, pageSize: pageSize)) {
          await $0.load()
        } change: { viewModel in
          let changed = service.change()
          await viewModel.refresh()
          return { $0.shows(changed) }
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

extension CatalogState<Availability, CatalogProduct> {
  /// Whether the refresh that follows a change is over.
  fileprivate func shows(_ changed: CatalogProduct?) -> Bool {
    guard let changed else { return !isRefreshing }
    return !isRefreshing && snapshot.item(changed.id)?.content.price == changed.price
  }
}

/// Answers each request immediately, with a page of its products. A change alternates between two lists of them.
private final class ChangingPages: PageService, PageClosureService {
  private let versions: [[CatalogProduct]]
  private let version = Mutex(0)

  init(_ products: [CatalogProduct]) {
    let changed = products.enumerated().map { index, product in
      guard index.isMultiple(of: 100) else { return product }
      let price = Money(minorUnits: product.price.minorUnits + 1, currency: product.price.currency)
      return product.applying(ProductUpdate(product: product.id, price: price))
    }
    versions = [products, changed]
  }

  /// Changes the prices, and returns a product with its new price.
  func change() -> CatalogProduct? {
    let current = version.withLock {
      $0 = 1 - $0
      return $0
    }
    return versions[current].first
  }

  private var products: [CatalogProduct] { versions[version.withLock { $0 }] }

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> { Page(request, of: products) }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(Page(request, of: products)))
    return .finished
  }
}
