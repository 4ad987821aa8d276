import AsyncViewModels
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the posts screen's view model of one stage.
package protocol PostsDriver: StageDriver where State == PostsState {
  func events() -> AsyncStream<PostsEvent>
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  @discardableResult func loadNextPage() async -> Task<Void, Never>
  @discardableResult func retry() async -> Task<Void, Never>
  func cancel() async
  func select(_ id: Post.ID) throws
  @discardableResult func delete(_ id: Post.ID) -> Task<Void, any Error>
  @discardableResult func restore(_ id: Post.ID) -> Task<Void, any Error>
  @discardableResult func perform(_ action: PostsAction) -> Task<Void, any Error>
  func close() async
}

extension MigrationStage {
  /// Creates the posts' view model of this stage, and returns its driver. Only the async stage uses `isolation`.
  package func makePosts(
    service: any PostService & PostClosureService, pageSize: Int = 50, isolation: (any Actor)? = nil
  ) -> any PostsDriver {
    makePosts(service: service, closures: service, pageSize: pageSize, isolation: isolation)
  }

  /// Creates the posts' view model of this stage, and returns its driver. The async stage uses `service` and `isolation`.
  /// The other stages use `closures`.
  package func makePosts(
    service: any PostService, closures: any PostClosureService, pageSize: Int = 50,
    isolation: (any Actor)? = nil
  ) -> any PostsDriver {
    let queue = DispatchQueue(label: "callbacks")
    return switch self {
    case .closure:
      PostsClosureDriver(PostsClosureViewModel(service: closures, pageSize: pageSize, callbackQueue: queue))
    case .stream:
      PostsStreamDriver(PostsStreamViewModel(service: closures, pageSize: pageSize, callbackQueue: queue))
    case .async: PostsAsyncDriver(PostsViewModel(service: service, pageSize: pageSize, isolation: isolation))
    }
  }
}

private struct PostsAsyncDriver: PostsDriver, ModelDriver {
  let viewModel: PostsViewModel
  let intents = StartedIntents()
  init(_ viewModel: PostsViewModel) { self.viewModel = viewModel }

  func events() -> AsyncStream<PostsEvent> { viewModel.events() }

  func load() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.load() })
  }
  func refresh() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.refresh() })
  }
  func loadNextPage() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.loadNextPage() })
  }
  func retry() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.retry() })
  }
  func cancel() async { await viewModel.cancel() }
  func select(_ id: Post.ID) throws { try viewModel.select(id) }
  func delete(_ id: Post.ID) -> Task<Void, any Error> {
    startIntent { [viewModel] in try await viewModel.delete(id) }
  }
  func restore(_ id: Post.ID) -> Task<Void, any Error> {
    startIntent { [viewModel] in try await viewModel.restore(id) }
  }
  func perform(_ action: PostsAction) -> Task<Void, any Error> {
    startIntent { [viewModel] in try await viewModel.perform(action) }
  }
  func close() async { await viewModel.close() }
}

private struct PostsStreamDriver: PostsDriver, ModelDriver {
  let viewModel: PostsStreamViewModel
  let intents = StartedIntents()
  init(_ viewModel: PostsStreamViewModel) { self.viewModel = viewModel }

  func events() -> AsyncStream<PostsEvent> { viewModel.events() }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func loadNextPage() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.loadNextPage(completion: $0) })
  }
  func retry() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.retry(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func select(_ id: Post.ID) throws { try viewModel.select(id) }
  func delete(_ id: Post.ID) -> Task<Void, any Error> { resultTask { viewModel.delete(id, completion: $0) } }
  func restore(_ id: Post.ID) -> Task<Void, any Error> {
    resultTask { viewModel.restore(id, completion: $0) }
  }
  func perform(_ action: PostsAction) -> Task<Void, any Error> {
    resultTask { viewModel.perform(action, completion: $0) }
  }
  func close() { viewModel.close() }
}

private struct PostsClosureDriver: PostsDriver, ModelDriver {
  let viewModel: PostsClosureViewModel
  let intents = StartedIntents()
  init(_ viewModel: PostsClosureViewModel) { self.viewModel = viewModel }

  func events() -> AsyncStream<PostsEvent> { boundStates { viewModel.bindEvents($0) } }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func loadNextPage() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.loadNextPage(completion: $0) })
  }
  func retry() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.retry(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func select(_ id: Post.ID) throws { try viewModel.select(id) }
  func delete(_ id: Post.ID) -> Task<Void, any Error> { resultTask { viewModel.delete(id, completion: $0) } }
  func restore(_ id: Post.ID) -> Task<Void, any Error> {
    resultTask { viewModel.restore(id, completion: $0) }
  }
  func perform(_ action: PostsAction) -> Task<Void, any Error> {
    resultTask { viewModel.perform(action, completion: $0) }
  }
  func close() { viewModel.close() }
}
