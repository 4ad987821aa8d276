import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The product list: the time until its first page shows, and the cost of paging.
enum ProductListBenchmarks {
  static func groups(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    [
      reading("open the first page of 50", pageSize: 50, pageLimit: 1, on: .http(server), catalog),
      reading("page to the end by 50", pageSize: 50, pageLimit: .max, on: .memory, catalog),
    ].map(\.group)
  }

  /// Creates a view model for each iteration, because a loaded list does not load again. One operation is one page.
  private static func reading(
    _ title: String, pageSize: Int, pageLimit: Int, on backend: Backend, _ catalog: Catalog
  ) -> FeatureBenchmark {
    FeatureBenchmark(feature: "Product list", title: title, unit: "page", backend: backend, catalog: catalog)
    {
      stage, storefronts in
      Workload { iterations in
        var pages = 0
        for _ in 0..<iterations {
          switch stage {
          case .closure: pages += try await readClosures(storefronts.closure, pageSize, pageLimit)
          case .stream: pages += try await readStream(storefronts.closure, pageSize, pageLimit)
          case .async: pages += try await readActor(storefronts.async, pageSize, pageLimit)
          }
        }
        return pages
      }
    }
  }

  private static func readClosures(
    _ service: any ClosureStorefront, _ pageSize: Int, _ pageLimit: Int
  ) async throws -> Int {
    let viewModel = ProductListClosureViewModel(
      service: service, pageSize: pageSize, callbackQueue: DispatchQueue(label: "callbacks"))
    let watch = StateWatch<ProductListState>()
    let binding = viewModel.bind { watch.observe($0) }
    defer { binding.cancel() }
    viewModel.load()
    var state = try await watch.first { $0.hasSettled(beyond: 0) }.checked()
    var pages = 1
    while state.hasMore, pages < pageLimit {
      let count = state.items.count
      viewModel.loadNextPage()
      state = try await watch.first { $0.hasSettled(beyond: count) }.checked()
      pages += 1
    }
    return pages
  }

  private static func readStream(
    _ service: any ClosureStorefront, _ pageSize: Int, _ pageLimit: Int
  ) async throws -> Int {
    let viewModel = ProductListStreamViewModel(service: service, pageSize: pageSize)
    var states = viewModel.states().makeAsyncIterator()
    viewModel.load()
    var state = try await states.first { $0.hasSettled(beyond: 0) }.checked()
    var pages = 1
    while state.hasMore, pages < pageLimit {
      let count = state.items.count
      viewModel.loadNextPage()
      state = try await states.first { $0.hasSettled(beyond: count) }.checked()
      pages += 1
    }
    return pages
  }

  private static func readActor(
    _ service: any AsyncStorefront, _ pageSize: Int, _ pageLimit: Int
  ) async throws -> Int {
    let viewModel = ProductListViewModel(service: service, pageSize: pageSize)
    var states = viewModel.states().makeAsyncIterator()
    await viewModel.load()
    var state = try await states.first { $0.hasSettled(beyond: 0) }.checked()
    var pages = 1
    while state.hasMore, pages < pageLimit {
      let count = state.items.count
      await viewModel.loadNextPage()
      state = try await states.first { $0.hasSettled(beyond: count) }.checked()
      pages += 1
    }
    return pages
  }
}

extension ProductListState {
  /// Whether the list has more than `count` items, or its last load failed.
  fileprivate func hasSettled(beyond count: Int) -> Bool {
    items.count > count || content.error != nil || nextPageFailure != nil
  }

  fileprivate func checked() throws -> ProductListState {
    if let error = content.error ?? nextPageFailure { throw error }
    return self
  }
}
