public import AsyncViewModels
public import StorefrontDomain

/// The view model of the posts, in the async stage. See ``PostsState``.
///
/// - Isolation: Selections and changes run on the caller's thread, loads on the executor of
///   `isolation`.
/// - Ordering: Changes take effect before they first suspend, loads when they reach the actor.
/// - Cancellation: A change is never cancelled, and outlives the view model. A cancelled caller of
///   a load returns early. The last caller to leave cancels the load.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor PostsViewModel: ViewModelActor {
  public nonisolated let modelState: ModelState<PostsState>
  private let liveObject = LiveObjectToken(.viewModel, "PostsViewModel")
  private let service: any PostService
  private let channel = EventChannel<PostsEvent>()
  private let slot = TaskSlot(.latest)
  private let callers = ChangeCallers()

  /// Creates a view model, and loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(service: any PostService, pageSize: Int = 50, isolation: (any Actor)? = nil) {
    modelState = ModelState(PostsState(pageSize: pageSize), on: isolation)
    self.service = service
  }

  /// Creates an observer of the events. An alert of a failed refresh reaches all current observers.
  /// Every other event is kept, and reaches the first observer that reads it.
  public nonisolated func events() -> AsyncStream<PostsEvent> { channel.stream() }

  /// Loads the first page. See ``PostsState``.
  public func load() async { await perform(.load) }

  /// Loads the first page again. See ``PostsState``.
  public func refresh() async { await perform(.reload) }

  /// Loads the next page. See ``PostsState``.
  public func loadNextPage() async { await perform(.loadNextPage) }

  /// Repeats the latest failed load. See ``PostsState``.
  public func retry() async { await perform(.retry) }

  /// Cancels the load. See ``PostsState``.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    slot.cancel()
  }

  /// Sends the route to a post as an event. See ``PostsState``.
  public nonisolated func select(_ id: Post.ID) throws(PostError) {
    channel.emit(try state.select(id))
  }

  /// Deletes a post, and returns when that has succeeded. See ``PostsState``.
  public nonisolated func delete(_ id: Post.ID) async throws {
    let account = AccountVersion.current
    try await send(
      try store.update { state throws(PostError) in try state.beginDeletion(of: id, for: account) })
  }

  /// Restores a deleted post, and returns when that has succeeded. See ``PostsState``.
  public nonisolated func restore(_ id: Post.ID) async throws {
    let account = AccountVersion.current
    try await send(
      try store.update { state throws(PostError) in try state.beginRestoration(of: id, for: account) })
  }

  /// Performs the action of a button in an alert or an offer. See ``PostsState``.
  public nonisolated func perform(_ action: PostsAction) async throws {
    switch action {
    case .refresh: await refresh()
    case .delete(let id): try await delete(id)
    case .restore(let id): try await restore(id)
    }
  }

  /// Closes the list for good. See ``PostsState``.
  public func close() {
    store.update { $0.close() }
    // Before the states end: their end fails the waiting changes with a `CancellationError`.
    callers.close(throwing: PostError.closed)
    store.finish()
    channel.finish()
    slot.cancel()
  }

  private func perform(_ intent: PageIntent) async {
    guard let request = state.request(for: intent) else { return await slot.wait() }
    store.update { $0.begin(request) }
    await slot.run(on: self) { [service] in
      try await service.posts(request)
    } commit: { model, outcome in
      if let alert = model.store.update({ $0.receive(outcome) }) { model.channel.emit(alert) }
    }
  }

  private nonisolated func send(_ change: PendingPostChange) async throws {
    try await callers.run { [service, store, channel] in
      // Throws after a close, when the caller has its error.
      try await store.first { $0.isDue(change) }
      let result = await Result { try await change.send(to: service) }
      let step = store.update { $0.end(change, TaskOutcome(result)) }
      if let event = step.event { channel.emit(event) }
      try result.get()
    }
  }
}
