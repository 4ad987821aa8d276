public import AsyncViewModels
public import StorefrontDomain

/// The posts, in the async stage.
///
/// - Isolation: The host's for loads. Selections and deletions take effect before they return or suspend, on the caller's thread. Use
///   `state`, `states()` and ``events()`` from any thread.
/// - Ordering: Loads take effect in the order in which they reach the actor. The answer to a superseded load is dropped, and its
///   callers wait for the newer one. Deletions may be answered in any order.
/// - Cancellation: A cancelled caller of a load returns at once, and the load is cancelled unless another caller waits for it. A
///   deletion is never cancelled, and finishes even if the view model is released.
/// - Hazards: None of the earlier stages: a route or a refused deletion is kept for a screen that does not observe yet, and is
///   delivered once.
public actor PostsViewModel: ViewModelActor {
  public nonisolated let hosted: HostedState<PostsState>
  private let liveObject = LiveObjectToken(.viewModel, "PostsViewModel")
  private let service: any PostService
  private let channel = EventChannel<PostsEvent>()
  private let slot = TaskSlot(.latest)

  /// Creates a screen of posts. It loads nothing until the first intent.
  public init(service: any PostService, isolation: any Actor = Isolation()) {
    hosted = HostedState(PostsState(), on: isolation)
    self.service = service
  }

  /// Creates an observer of the events. A route and a refused deletion go to exactly one observer: the first that reads them, now or
  /// later. A failed refresh goes to the current observers.
  public nonisolated func events() -> AsyncStream<PostsEvent> { channel.stream() }

  /// Loads the posts, unless they are loaded. Joins a load that is in progress.
  public func load() async { await perform(.load) }

  /// Loads the posts again, and replaces a load in progress. The old posts stay until the answer arrives. A failure is an alert.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load in progress and restores the state before it. Deletions continue.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    slot.cancel()
  }

  /// Selects a post. The route to it is an event.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown.
  public nonisolated func select(_ id: Post.ID) throws(PostError) {
    channel.keepForFirstObserver(try state.select(id))
  }

  /// Deletes a post. The post is hidden at once; the call returns when the service has deleted it.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown. Otherwise the reason that the service did not
  ///   delete it; the post is then back in its place, and the failure is also an alert.
  public nonisolated func delete(_ id: Post.ID) async throws {
    let deletion = try store.update { state throws(PostError) in try state.beginDeletion(of: id) }
    try await runToCompletion { [service, store, channel] in
      let result = await Result { try await service.delete(id) }
      let alert = store.update { $0.endDeletion(deletion, TaskOutcome(result)) }
      if let alert { channel.keepForFirstObserver(alert) }
      try result.get()
    }
  }

  private func perform(_ intent: LoadIntent) async {
    guard state.needsRequest(for: intent) else { return await slot.wait() }
    store.update { $0.begin() }
    await slot.run(on: self) { [service] in
      try await service.posts()
    } commit: { model, outcome in
      if let alert = model.store.update({ $0.receive(outcome) }) { model.channel.send(alert) }
    }
  }
}
