public import AsyncViewModels
public import StorefrontDomain

/// The view model of the posts, in the async stage: an actor with async methods.
///
/// - Isolation: Loads run on the executor of the host, the actor that is passed as `isolation`. Selections, deletions and
///   restorations are nonisolated: they take effect on the caller's thread, before they return or first suspend. Use `state`,
///   `states()` and ``events()`` from any thread.
/// - Ordering: Loads take effect in the order in which they reach the actor. If a new load replaces a running one, the answer to
///   the old load is dropped, and the callers of both loads wait for the new one. The deletions and restorations of one post are
///   sent one after another. Those of different posts are sent at the same time, and the service may answer them in any order.
/// - Cancellation: A cancelled caller of a load returns without waiting for the service. If no other caller waits for the load, the
///   load is cancelled. A deletion or restoration is never cancelled, and finishes even if the view model is released.
/// - Hazards: None of the hazards of the closure and stream stages: callers need no completion handlers, and no call waits for a
///   queue. A route, an offer, or the alert of a failed change is kept until a screen observes the events, and is delivered once.
public actor PostsViewModel: ViewModelActor {
  public nonisolated let hosted: HostedState<PostsState>
  private let liveObject = LiveObjectToken(.viewModel, "PostsViewModel")
  private let service: any PostService
  private let channel = EventChannel<PostsEvent>()
  private let slot = TaskSlot(.latest)
  private let callers = ChangeCallers()

  /// Creates a view model. The initializer loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(service: any PostService, pageSize: Int = 50, isolation: (any Actor)? = nil) {
    hosted = HostedState(PostsState(pageSize: pageSize), on: isolation)
    self.service = service
  }

  /// Creates an observer of the events. Each route, each offer, and each alert of a failed deletion or restoration reaches exactly
  /// one observer: the first that reads it, now or later. The alert of a failed refresh reaches all current observers.
  public nonisolated func events() -> AsyncStream<PostsEvent> { channel.stream() }

  /// Loads the first page, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  public func load() async { await run(.load) }

  /// Loads the first page again, and replaces a load that is in progress. The old posts of all pages stay until the answer arrives,
  /// which replaces them. If a refresh of loaded posts fails, the old posts stay, and an alert is sent as an event. It offers to
  /// refresh again.
  public func refresh() async { await run(.refresh) }

  /// Loads the next page and appends it. If a load is in progress, joins it instead of sending another request. If no load is in
  /// progress, does nothing at the end of the posts, before the first page has arrived, and after the cursor of the next page has
  /// expired.
  public func loadNextPage() async { await run(.loadNextPage) }

  /// Requests the page of the latest failed load again. If the cursor of the next page has expired, loads the first page again, in
  /// place of all pages. If a load is in progress, joins it instead of sending another request. If no load is in progress and there is
  /// no failure, does nothing.
  public func retry() async { await run(.retry) }

  /// Cancels the load in progress, if any, and restores the state from before the load. Deletions and restorations continue.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    slot.cancel()
  }

  /// Selects a post: sends the route to the post as an event, unless the same route still waits for its observer.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown. ``/StorefrontDomain/PostError/closed`` if the
  ///   list is closed.
  public nonisolated func select(_ id: Post.ID) throws(PostError) {
    channel.keepOnceForFirstObserver(try state.select(id))
  }

  /// Deletes a post. The post is hidden without waiting for the service. The call returns when the deletion has succeeded. Then an
  /// offer to restore the post is sent as an event.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown, or if the service does not know the post.
  ///   In the second case, the post stays hidden. Any other error is the error of the request. In that case, the post is shown
  ///   again, and an alert is sent as an event unless the error is a cancellation. It offers to delete the post again.
  public nonisolated func delete(_ id: Post.ID) async throws {
    let account = AccountVersion.current
    try await send(
      try store.update { state throws(PostError) in try state.beginDeletion(of: id, for: account) })
  }

  /// Restores a deleted post. The post is shown at its place without waiting for the service. If its deletion is not answered yet,
  /// the restoration is sent after the answer. The call returns when the restoration has succeeded.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/notDeleted(_:)`` if the post is shown.
  ///   ``/StorefrontDomain/PostError/unknownPost(_:)`` if it was not deleted here, or if the service does not know the post. Any other
  ///   error is the error of the request. If the request fails, the post is hidden again, and an alert is sent as an event unless the
  ///   error is a cancellation. It offers to restore the post again, unless the service does not know the post.
  public nonisolated func restore(_ id: Post.ID) async throws {
    let account = AccountVersion.current
    try await send(
      try store.update { state throws(PostError) in try state.beginRestoration(of: id, for: account) })
  }

  /// Performs the action of a button in an alert or an offer. Has the effect and the errors of ``refresh()``, ``delete(_:)`` or
  /// ``restore(_:)``. So an action that comes too late, because the post is already as the user wants it, throws and sends nothing.
  public nonisolated func perform(_ action: PostsAction) async throws {
    switch action {
    case .refresh: await refresh()
    case .delete(let id): try await delete(id)
    case .restore(let id): try await restore(id)
    }
  }

  /// Closes the list for good, as ``PostsState`` describes it. Call this method when the user signs out. After this call, nothing is
  /// sent.
  public func close() {
    store.update { $0.close() }
    store.finish()
    channel.finish()
    callers.close(throwing: PostError.closed)
    slot.cancel()
  }

  private func run(_ intent: ListIntent) async {
    guard let request = state.request(for: intent) else { return await slot.wait() }
    store.update { $0.begin(request) }
    await slot.run(on: self) { [service] in
      try await service.posts(request)
    } commit: { model, outcome in
      if let alert = model.store.update({ $0.receive(outcome) }) { model.channel.send(alert) }
    }
  }

  private nonisolated func send(_ change: PendingPostChange) async throws {
    try await callers.run { [service, store, channel] in
      // Throws if the list is closed.
      try await store.firstNonNil { $0.isDue(change) ? () : nil }
      let result = await Result { try await change.send(to: service) }
      let step = store.update { $0.end(change, TaskOutcome(result)) }
      if let event = step.event { channel.keepForFirstObserver(event) }
      try result.get()
    }
  }
}
