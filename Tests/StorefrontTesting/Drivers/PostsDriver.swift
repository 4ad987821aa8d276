package import AsyncViewModels
import AsyncViewModelsGCD
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the posts screen's view model of one stage, so that one test suite, the contract, can test all stages.
///
/// A method that starts a load calls an intent of the view model. In the async stage, the method returns when
/// the intent has taken effect. In the closure and stream stages, the method returns when the intent is in
/// the queue. The returned task ends when the intent ends. In the async stage, that task is the caller of the
/// intent: cancel the task to cancel the caller.
package protocol PostsDriver: Sendable {
  /// The view model, for leak checks.
  var subject: any AnyObject & Sendable { get }

  var state: PostsState { get }
  /// Returns a new stream of states. The closure stage delivers every state to it and ignores `buffering`.
  func states(_ buffering: BufferingPolicy) -> AsyncStream<PostsState>
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

  /// Returns when every started load is over.
  func settle() async
}

extension PostsDriver {
  /// Returns a new stream of states, which may skip all but the latest one.
  package func states() -> AsyncStream<PostsState> { states(.latest) }
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

private struct PostsAsyncDriver: PostsDriver {
  let viewModel: PostsViewModel
  private let intents = StartedIntents()
  init(_ viewModel: PostsViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: PostsState { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<PostsState> { viewModel.states(buffering) }
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
  func settle() async { await intents.settle() }
}

private struct PostsStreamDriver: PostsDriver {
  let viewModel: PostsStreamViewModel
  private let intents = StartedIntents()
  init(_ viewModel: PostsStreamViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: PostsState { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<PostsState> { viewModel.states(buffering) }
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
  func settle() async { await intents.settle() }
}

private struct PostsClosureDriver: PostsDriver {
  let viewModel: PostsClosureViewModel
  private let intents = StartedIntents()
  init(_ viewModel: PostsClosureViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: PostsState { viewModel.state }
  func states(_: BufferingPolicy) -> AsyncStream<PostsState> { boundStates { viewModel.bind($0) } }
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
  func settle() async { await intents.settle() }
}
