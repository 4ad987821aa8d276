import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The search: the time until hits show.
enum SearchBenchmarks {
  /// Two alternating queries, so that each query differs from the last one.
  private static let queries = ["lamp", "oak"]

  /// Submits a query, and waits until its hits show.
  static func answers(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Search", title: "submit a query, and see the hits", unit: "query", backend: .memory,
      catalog: catalog
    ) { stage, storefronts in
      switch stage {
      case .closure:
        let (viewModel, watch) = closures(storefronts)
        let binding = viewModel.bind { watch.observe($0) }
        return Workload(
          run: { iterations in
            for iteration in 0..<iterations {
              let query = queries[iteration % queries.count]
              viewModel.setQuery(query)
              viewModel.submit()
              try await watch.first { $0.isAnswer(to: query) }.check()
            }
            return iterations
          }, tearDown: { binding.cancel() })
      case .stream:
        let viewModel = ProductSearchStreamViewModel(service: storefronts.closure)
        return Workload { iterations in
          var states = viewModel.states().makeAsyncIterator()
          for iteration in 0..<iterations {
            let query = queries[iteration % queries.count]
            viewModel.setQuery(query)
            viewModel.submit()
            try await states.first { $0.isAnswer(to: query) }.check()
          }
          return iterations
        }
      case .async:
        let viewModel = ProductSearchViewModel(service: storefronts.async)
        return Workload { iterations in
          var states = viewModel.states().makeAsyncIterator()
          for iteration in 0..<iterations {
            let query = queries[iteration % queries.count]
            viewModel.setQuery(query)
            await viewModel.submit()
            try await states.first { $0.isAnswer(to: query) }.check()
          }
          return iterations
        }
      }
    }
  }

  private static func closures(
    _ storefronts: Storefronts
  ) -> (ProductSearchClosureViewModel, StateWatch<SearchState<SearchHit>>) {
    let callbackQueue = DispatchQueue(label: "callbacks")
    return (
      ProductSearchClosureViewModel(service: storefronts.closure, callbackQueue: callbackQueue), StateWatch()
    )
  }
}

extension SearchState {
  fileprivate func isAnswer(to query: String) -> Bool {
    self.query == query && !isSearching
  }

  fileprivate func check() throws {
    if let error = results.error { throw error }
  }
}
