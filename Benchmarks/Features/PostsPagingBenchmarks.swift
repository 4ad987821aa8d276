import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The posts: the cost of reading them page by page, by cursor.
enum PostsPagingBenchmarks {
  static func groups(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    [reading(.http(server), catalog), reading(.memory, catalog)].map(\.group)
  }

  private static let pageSize = 10

  /// Creates a view model for each iteration, because loaded posts do not load again. One operation is one page.
  private static func reading(_ backend: Backend, _ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Posts", title: "read to the end by \(pageSize)", unit: "page", backend: backend,
      catalog: catalog
    ) { stage, storefronts in
      Workload { iterations in
        var pages = 0
        for _ in 0..<iterations {
          switch stage {
          case .closure: pages += try await readClosures(storefronts.closure)
          case .stream: pages += try await readStream(storefronts.closure)
          case .async: pages += try await readActor(storefronts.async)
          }
        }
        return pages
      }
    }
  }

  private static func readClosures(_ service: any ClosureStorefront) async throws -> Int {
    let viewModel = PostsClosureViewModel(
      service: service, pageSize: pageSize, callbackQueue: DispatchQueue(label: "callbacks"))
    let watch = StateWatch<PostsState>()
    let binding = viewModel.bind { watch.observe($0) }
    defer { binding.cancel() }
    viewModel.load()
    var state = try await watch.first { $0.hasSettled(beyond: 0) }.checked()
    var pages = 1
    while state.hasMore {
      let count = state.posts.count
      viewModel.loadNextPage()
      state = try await watch.first { $0.hasSettled(beyond: count) }.checked()
      pages += 1
    }
    return pages
  }

  private static func readStream(_ service: any ClosureStorefront) async throws -> Int {
    let viewModel = PostsStreamViewModel(service: service, pageSize: pageSize)
    var states = viewModel.states().makeAsyncIterator()
    viewModel.load()
    var state = try await states.first { $0.hasSettled(beyond: 0) }.checked()
    var pages = 1
    while state.hasMore {
      let count = state.posts.count
      viewModel.loadNextPage()
      state = try await states.first { $0.hasSettled(beyond: count) }.checked()
      pages += 1
    }
    return pages
  }

  private static func readActor(_ service: any AsyncStorefront) async throws -> Int {
    let viewModel = PostsViewModel(service: service, pageSize: pageSize)
    var states = viewModel.states().makeAsyncIterator()
    await viewModel.load()
    var state = try await states.first { $0.hasSettled(beyond: 0) }.checked()
    var pages = 1
    while state.hasMore {
      let count = state.posts.count
      await viewModel.loadNextPage()
      state = try await states.first { $0.hasSettled(beyond: count) }.checked()
      pages += 1
    }
    return pages
  }
}

extension PostsState {
  /// Whether there are more than `count` posts, or the last load failed.
  fileprivate func hasSettled(beyond count: Int) -> Bool {
    posts.count > count || content.error != nil || nextPageFailure != nil
  }

  fileprivate func checked() throws -> PostsState {
    if let error = content.error ?? nextPageFailure { throw error }
    return self
  }
}
