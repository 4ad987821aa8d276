import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The posts: the time until a deletion and its undo are confirmed. A screen also reads the events, with an offer for each deletion.
enum PostsBenchmarks {
  /// Deletes a post and restores it. Waits after each change until its confirmation shows. The service has the same posts afterward.
  static func undoneDeletions(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Posts", title: "delete a post, undo it, and see both confirmed", unit: "change",
      backend: .memory, catalog: catalog
    ) { stage, storefronts in
      guard catalog.posts.count > 1 else { throw NothingToDelete() }
      let post = catalog.posts[catalog.posts.count / 2]
      switch stage {
      case .closure:
        let viewModel = PostsClosureViewModel(
          service: storefronts.closure, callbackQueue: DispatchQueue(label: "callbacks"))
        let watch = StateWatch<PostsState>()
        let bindings = [viewModel.bind { watch.observe($0) }, viewModel.bindEvents { blackHole($0) }]
        return Workload(
          run: { iterations in
            viewModel.load()
            _ = try await watch.first { !$0.isLoading && $0.content.isSettled }.checked()
            for _ in 0..<iterations {
              try await CartBenchmarks.answer { viewModel.delete(post.id, completion: $0) }
              _ = await watch.first { $0.isConfirmed(post, isShown: false) }
              try await CartBenchmarks.answer { viewModel.perform(.restore(post.id), completion: $0) }
              _ = await watch.first { $0.isConfirmed(post, isShown: true) }
            }
            return iterations * 2
          }, tearDown: { for binding in bindings { binding.cancel() } })
      case .stream:
        let viewModel = PostsStreamViewModel(
          service: storefronts.closure, callbackQueue: DispatchQueue(label: "callbacks"))
        let events = Task { [events = viewModel.events()] in for await event in events { blackHole(event) } }
        return Workload(
          run: { iterations in
            var states = viewModel.states().makeAsyncIterator()
            viewModel.load()
            _ = try await states.first { !$0.isLoading && $0.content.isSettled }.checked()
            for _ in 0..<iterations {
              try await CartBenchmarks.answer { viewModel.delete(post.id, completion: $0) }
              _ = try await states.first { $0.isConfirmed(post, isShown: false) }
              try await CartBenchmarks.answer { viewModel.perform(.restore(post.id), completion: $0) }
              _ = try await states.first { $0.isConfirmed(post, isShown: true) }
            }
            return iterations * 2
          }, tearDown: { events.cancel() })
      case .async:
        let viewModel = PostsViewModel(service: storefronts.async)
        let events = Task { [events = viewModel.events()] in for await event in events { blackHole(event) } }
        return Workload(
          run: { iterations in
            var states = viewModel.states().makeAsyncIterator()
            await viewModel.load()
            _ = try await states.first { !$0.isLoading && $0.content.isSettled }.checked()
            for _ in 0..<iterations {
              try await viewModel.delete(post.id)
              _ = try await states.first { $0.isConfirmed(post, isShown: false) }
              try await viewModel.perform(.restore(post.id))
              _ = try await states.first { $0.isConfirmed(post, isShown: true) }
            }
            return iterations * 2
          }, tearDown: { events.cancel() })
      }
    }
  }
}

/// The error of a catalog with fewer than two posts.
private struct NothingToDelete: Error, CustomStringConvertible {
  var description: String { "the catalog has fewer than two posts" }
}

extension ViewState {
  fileprivate var isSettled: Bool { value != nil || error != nil }
}

extension PostsState {
  fileprivate func isConfirmed(_ post: Post, isShown: Bool) -> Bool {
    deletionCount + restorationCount == 0 && posts.contains { $0.id == post.id } == isShown
  }

  fileprivate func checked() throws -> PostsState {
    if let error = content.error { throw error }
    return self
  }
}
