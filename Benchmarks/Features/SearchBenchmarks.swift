import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The search: the time until hits show, and the cost of typing without a request.
enum SearchBenchmarks {
  static func groups(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    [
      answers(.http(server), catalog), answers(.memory, catalog), pages(.http(server), catalog),
      pages(.memory, catalog), keyStrokes(catalog),
    ].map(\.group)
  }

  /// Two alternating queries, so that each query differs from the last one.
  private static let queries = ["lamp", "oak"]

  /// Submits a query, and waits until its hits show.
  private static func answers(_ backend: Backend, _ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Search", title: "submit a query, and see the hits", unit: "query", backend: backend,
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

  /// Submits a query, and loads all further pages of its hits, each after the page before has arrived.
  private static func pages(_ backend: Backend, _ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Search", title: "submit a query, and load its hits page by page", unit: "page",
      backend: backend, catalog: catalog
    ) { stage, storefronts in
      let search = stage.makeSearch(
        service: storefronts.async, closures: storefronts.closure, clock: VirtualClock(), pageSize: 5)
      return Workload { iterations in
        var count = 0
        for iteration in 0..<iterations {
          search.setQuery(queries[iteration % queries.count])
          await search.submit().value
          count += 1
          while search.state.hasMore {
            await search.loadNextPage().value
            if let error = search.state.nextPageFailure { throw error }
            count += 1
          }
          try search.state.check()
        }
        return count
      }
    }
  }

  /// Types without a pause. Each key stroke restarts the debounce, and only the last query becomes a request.
  private static func keyStrokes(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Search", title: "type without a pause", unit: "key stroke", backend: .memory, catalog: catalog
    ) { stage, storefronts in
      switch stage {
      case .closure:
        let (viewModel, watch) = closures(storefronts)
        let binding = viewModel.bind { watch.observe($0) }
        return Workload(
          run: { iterations in
            for stroke in 1...iterations { viewModel.setQuery(text(after: stroke)) }
            viewModel.submit()
            try await watch.first { $0.isAnswer(to: text(after: iterations)) }.check()
            return iterations
          }, tearDown: { binding.cancel() })
      case .stream:
        let viewModel = ProductSearchStreamViewModel(service: storefronts.closure)
        return Workload { iterations in
          var states = viewModel.states().makeAsyncIterator()
          for stroke in 1...iterations { viewModel.setQuery(text(after: stroke)) }
          viewModel.submit()
          try await states.first { $0.isAnswer(to: text(after: iterations)) }.check()
          return iterations
        }
      case .async:
        let viewModel = ProductSearchViewModel(service: storefronts.async)
        return Workload { iterations in
          var states = viewModel.states().makeAsyncIterator()
          for stroke in 1...iterations { viewModel.setQuery(text(after: stroke)) }
          await viewModel.submit()
          try await states.first { $0.isAnswer(to: text(after: iterations)) }.check()
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

  /// Returns a different text for each stroke.
  private static func text(after stroke: Int) -> String { "lamp \(stroke)" }
}

extension SearchState {
  fileprivate func isAnswer(to query: String) -> Bool {
    self.query == query && !isSearching
  }

  fileprivate func check() throws {
    if let error = results.error { throw error }
  }
}
