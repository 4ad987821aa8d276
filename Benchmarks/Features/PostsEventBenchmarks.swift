import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The posts: the time until the route to a selected post arrives, which is an event.
enum PostsEventBenchmarks {
  static func groups(catalog: Catalog) -> [BenchmarkGroup] { [routes(catalog).group] }

  /// Selects one of two posts after the other. Waits after each selection until its route arrives.
  private static func routes(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Posts", title: "select a post, and receive its route", unit: "selection", backend: .memory,
      catalog: catalog
    ) { stage, storefronts in
      guard catalog.posts.count > 1 else { throw NothingToSelect() }
      let ids = catalog.posts.prefix(2).map(\.id)
      switch stage {
      case .closure:
        let viewModel = PostsClosureViewModel(
          service: storefronts.closure, callbackQueue: DispatchQueue(label: "callbacks"))
        let watch = StateWatch<PostsEvent>()
        let binding = viewModel.bindEvents { watch.observe($0) }
        return Workload(
          run: { iterations in
            await Workload.completion { viewModel.load(completion: $0) }
            for _ in 0..<iterations {
              for id in ids {
                try viewModel.select(id)
                _ = await watch.first { $0 == .route(.post(id)) }
              }
            }
            return iterations * ids.count
          }, tearDown: { binding.cancel() })
      case .stream:
        let viewModel = PostsStreamViewModel(
          service: storefronts.closure, callbackQueue: DispatchQueue(label: "callbacks"))
        return Workload { iterations in
          var events = viewModel.events().makeAsyncIterator()
          await Workload.completion { viewModel.load(completion: $0) }
          for _ in 0..<iterations {
            for id in ids {
              try viewModel.select(id)
              _ = try await events.first { $0 == .route(.post(id)) }
            }
          }
          return iterations * ids.count
        }
      case .async:
        let viewModel = PostsViewModel(service: storefronts.async)
        return Workload { iterations in
          var events = viewModel.events().makeAsyncIterator()
          await viewModel.load()
          for _ in 0..<iterations {
            for id in ids {
              try viewModel.select(id)
              _ = try await events.first { $0 == .route(.post(id)) }
            }
          }
          return iterations * ids.count
        }
      }
    }
  }
}

/// The error of a catalog with fewer than two posts.
private struct NothingToSelect: Error, CustomStringConvertible {
  var description: String { "the catalog has fewer than two posts" }
}
