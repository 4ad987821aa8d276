import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import CombineViewModels
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Lists that are created, not loaded, and observed by nothing.
enum IdleGroup {
  static let bytes = "bytes per view model"
  static let size = 1_000

  static var group: BenchmarkGroup {
    BenchmarkGroup(
      section: "List", title: Quantity.count(size, "idle list"), unit: "list that is created and released",
      reference: MigrationStage.async.variant, benchmarks: MigrationStage.allCases.map(idle))
  }

  private static func idle(_ stage: MigrationStage) -> Benchmark {
    let service = EmptyPages()
    let make: @Sendable () -> any AnyObject & Sendable = {
      switch stage {
      case .closure: ProductListClosureViewModel(service: service, callbackQueue: .global())
      case .stream: ProductListStreamViewModel(service: service)
      case .async: ProductListViewModel(service: service)
      case .combine: ProductListCombineViewModel(service: service)
      }
    }
    return Benchmark(stage.variant) {
      Workload(
        run: { iterations in
          for _ in 0..<iterations { blackHole((0..<size).map { _ in make() }.count) }
          return iterations * size
        },
        metrics: {
          let before = HeapSize.bytes
          let models = (0..<size).map { _ in make() }
          let after = HeapSize.bytes
          return withExtendedLifetime(models) {
            guard let before, let after else { return [] }
            return [Metric(bytes, unit: "bytes", Double(after - before) / Double(size))]
          }
        })
    }
  }
}

private struct EmptyPages: PageService, PageClosureService {
  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    Page(items: [], index: 0, isLast: true)
  }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(Page(items: [], index: 0, isLast: true)))
    return .finished
  }
}
