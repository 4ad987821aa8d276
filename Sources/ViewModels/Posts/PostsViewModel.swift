public import AsyncViewModels
public import StorefrontDomain

/// The posts, in the async stage.
///
/// - Isolation: runs on its host; ``state``, ``states()`` and ``events()`` may be used from anywhere.
/// - Ordering: intents take effect in the order in which they reach the actor; answers to deletions may come in any order; the list
///   that was superseded is dropped.
/// - Cancellation: the end of the view model calls off the list that is on its way. A deletion that has begun is never called off.
/// - Hazards: none of the stages before: where a tap leads, or that a deletion was refused, is held for a screen that has not bound yet,
///   and nobody sees it twice.
public actor PostsViewModel {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let liveObject = LiveObjectToken(.viewModel, "PostsViewModel")
  private nonisolated let host: ActorHost
  private let service: any PostService
  private nonisolated let store = ObservableState(PostsState())
  private nonisolated let channel = EventChannel<PostsEvent>()
  private let loading = TaskSlot(.latest)
  private var running: Task<Void, Never>?

  public init(service: any PostService, isolation: any Actor = Isolation()) {
    host = ActorHost(isolation)
    self.service = service
  }

  public nonisolated var state: PostsState { store.value }

  /// A new observer: the current state, then the latest.
  public nonisolated func states() -> AsyncStream<PostsState> { store.stream() }

  /// A new observer of the events. Where a tap leads, and that a deletion was refused, goes to exactly one observer: whoever reads it
  /// first, now or later. That a refresh has failed goes to those who are there, and to nobody later.
  public nonisolated func events() -> AsyncStream<PostsEvent> { channel.stream() }

  /// Loads the posts. Where they are there, or on their way, nothing more is requested.
  ///
  /// - Returns: a task that ends when the load is over: this one, or the one that is under way.
  @discardableResult
  public func load() -> Task<Void, Never> { state.needsLoading ? request() : running ?? Task {} }

  /// Loads the posts again, in place of whatever list is on its way. The old ones stay until the answer is there; where that is a
  /// failure, they stay with an alert.
  @discardableResult
  public func refresh() -> Task<Void, Never> { request() }

  /// Chooses a post: where that leads is an event.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` where it is not shown.
  public func select(_ id: Post.ID) throws(PostError) {
    emit(try state.select(id))
  }

  /// Deletes a post. It is hidden at once; where the service refuses it is back, with an alert.
  ///
  /// - Returns: a task that ends when the service has answered. It throws ``/StorefrontDomain/PostError/unknownPost(_:)`` where it is not shown,
  ///   else what kept the service from deleting it. To cancel it stops nothing.
  public func delete(_ id: Post.ID) -> Task<Void, any Error> {
    do throws(PostError) {
      try store.update { state throws(PostError) in try state.beginDeleting(id) }
    } catch {
      return Task { throw error }
    }
    // Nobody else holds this task, so nobody can cancel it; and it does not hold the view model, which may go meanwhile.
    let entry = LiveObjectToken(.task, "deletion of a post")
    let answer = Task { [service] in try await service.delete(id) }
    return Task { [weak self] in
      defer { entry.end() }
      let result = await answer.result
      await self?.receiveDeletion(of: id, result)
      try result.get()
    }
  }

  private func request() -> Task<Void, Never> {
    store.update { $0.beginLoading() }
    let run = loading.run(on: self) { [service] in
      try await service.posts()
    } commit: { model, outcome in
      if let alert = model.store.update({ $0.receive(outcome) }) { model.channel.send(alert) }
    }
    running = run
    return run
  }

  private func receiveDeletion(of id: Post.ID, _ result: Result<Void, any Error>) {
    emit(store.update { $0.receiveDeletion(of: id, TaskOutcome(result)) })
  }

  private func emit(_ event: PostsEvent?) {
    if let event { channel.keepForFirstObserver(event) }
  }
}
