public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain
import Synchronization

/// The view model of the posts, in the closure stage: completion handlers, one observer of the state and one of the events.
///
/// - Isolation: The private serial `queue` guards the request and the waiting changes; the compiler does not check this. The
///   observer of the state, the observer of the events and the completion handlers are called on `callbackQueue`.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order of the calls. ``select(_:)``,
///   ``cancel()`` and ``close()`` take effect before they return. All other intents take effect asynchronously. If a new load replaces
///   a running one, the answer to the old load is dropped, and the callers of both loads wait for the new one. The deletions and
///   restorations of one post are sent one after another. Those of different posts are sent at the same time, and the service may
///   answer them in any order.
/// - Cancellation: Releasing the view model cancels the load. A deletion or restoration is never cancelled. The view model stays alive
///   while one of them waits to be sent.
/// - Hazards: There is one observer of the state and one of the events, and a new binding replaces the old one. An event is lost if
///   it is sent while there is no observer of the events. If a second screen binds the events, the first screen receives no more
///   events. If the service never answers a change of a post, the next change of this post keeps the view model alive. Observers and
///   completion handlers keep alive the objects that they capture strongly. ``select(_:)``, ``cancel()`` and ``close()`` wait for
///   `queue`, so they deadlock if they are called on `queue`, for example by a service that is starting a request.
public final class PostsClosureViewModel: @unchecked Sendable {
  /// Called once, when the load is over: it has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the result of a deletion, a restoration or an action: success, or the reason why it failed.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let store: CallbackState<PostsState>
  private let liveObject = LiveObjectToken(.viewModel, "PostsClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any PostClosureService
  /// The latest event.
  private let eventBinding = CallbackState<PostsEvent?>(nil)
  private let slot: RequestSlot
  /// Sends the changes that wait for an earlier change of the same post. Guarded by `queue`.
  private var waiting: [PendingPostChange.ID: () -> Void] = [:]
  private let callers = ChangeCallers()

  /// The routes that the observer has not received. Guarded by `queue`.
  private var unreceived: Set<PostsEvent> = []

  /// Creates a view model. The initializer loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PostClosureService, pageSize: Int = 50, callbackQueue: DispatchQueue = .main
  ) {
    store = CallbackState(PostsState(pageSize: pageSize))
    queue = DispatchQueue(label: "PostsClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// The current state. An intent that takes effect asynchronously may not be included yet.
  public var state: PostsState { store.value }

  /// Sets the observer, in place of the previous one. The observer receives the current state and then every later state, on
  /// `callbackQueue`.
  ///
  /// - Returns: A token that removes the observer when the token is cancelled or released.
  public func bind(_ observer: @escaping @Sendable (PostsState) -> Void) -> CancellationToken {
    store.bind(on: callbackQueue, observer)
  }

  /// Sets the observer of the events, in place of the previous one. The observer receives every later event, on `callbackQueue`.
  ///
  /// - Returns: A token that removes the observer when the token is cancelled or released.
  public func bindEvents(_ observer: @escaping @Sendable (PostsEvent) -> Void) -> CancellationToken {
    // A route that the previous observer has not received is lost, and can be requested again.
    queue.async { [weak self] in self?.unreceived = [] }
    // Skips the first value: the latest event from before this binding, or `nil`.
    let isBound = Mutex(false)
    return eventBinding.bind(on: callbackQueue) { event in
      if isBound.withLock({ exchange(&$0, with: true) }), let event { observer(event) }
    }
  }

  /// Loads the first page, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  ///
  /// `completion` is called once, when the load is over, or right away if there is nothing to wait for.
  public func load(completion: LoadCompletion? = nil) { run(.load, completion) }

  /// Loads the first page again, and replaces a load that is in progress. The old posts of all pages stay until the answer arrives,
  /// which replaces them. If a refresh of loaded posts fails, the old posts stay, and an alert is sent as an event. It offers to
  /// refresh again.
  public func refresh(completion: LoadCompletion? = nil) { run(.refresh, completion) }

  /// Loads the next page and appends it. If a load is in progress, joins it instead of sending another request. If no load is in
  /// progress, does nothing at the end of the posts, before the first page has arrived, and after the cursor of the next page has
  /// expired.
  public func loadNextPage(completion: LoadCompletion? = nil) { run(.loadNextPage, completion) }

  /// Requests the page of the latest failed load again. If the cursor of the next page has expired, loads the first page again, in
  /// place of all pages. If a load is in progress, joins it instead of sending another request. If no load is in progress and there is
  /// no failure, does nothing.
  public func retry(completion: LoadCompletion? = nil) { run(.retry, completion) }

  /// Cancels the load in progress, if any, and restores the state from before the load. Deletions and restorations continue.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard state.isLoading else { return nil }
      store.update { $0.cancel() }
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  /// Selects a post: sends the route to the post as an event, unless the same route still waits for its observer.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown. ``/StorefrontDomain/PostError/closed`` if the
  ///   list is closed.
  public func select(_ id: Post.ID) throws(PostError) {
    let result = queue.sync { Result { () throws(PostError) in emitOnce(try state.select(id)) } }
    try result.get()
  }

  /// Deletes a post. The post is hidden without waiting for the service. `completion` is called once, when the deletion has
  /// succeeded or failed. After a success, an offer to restore the post is sent as an event.
  ///
  /// The deletion fails with ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown, or if the service does not
  /// know the post. In the second case, the post stays hidden. Any other failure is the error of the request. In that case, the
  /// post is shown again, and an alert is sent as an event unless the error is a cancellation. It offers to delete the post again.
  public func delete(_ id: Post.ID, completion: @escaping Completion = { _ in }) {
    let account = AccountVersion.current
    begin(completion) { state throws(PostError) in try state.beginDeletion(of: id, for: account) }
  }

  /// Restores a deleted post. The post is shown at its place without waiting for the service. If its deletion is not answered yet,
  /// the restoration is sent after the answer. `completion` is called once, when the restoration has succeeded or failed.
  ///
  /// The restoration fails with ``/StorefrontDomain/PostError/notDeleted(_:)`` if the post is shown, and with
  /// ``/StorefrontDomain/PostError/unknownPost(_:)`` if it was not deleted here, or if the service does not know the post. Any other
  /// failure is the error of the request. If the request fails, the post is hidden again, and an alert is sent as an event unless the
  /// error is a cancellation. It offers to restore the post again, unless the service does not know the post.
  public func restore(_ id: Post.ID, completion: @escaping Completion = { _ in }) {
    let account = AccountVersion.current
    begin(completion) { state throws(PostError) in try state.beginRestoration(of: id, for: account) }
  }

  /// Performs the action of a button in an alert or an offer. Has the effect and the failures of ``refresh(completion:)``,
  /// ``delete(_:completion:)`` or ``restore(_:completion:)``. So an action that comes too late, because the post is already as the
  /// user wants it, fails and sends nothing.
  public func perform(_ action: PostsAction, completion: @escaping Completion = { _ in }) {
    switch action {
    case .refresh: refresh { completion(.success(())) }
    case .delete(let id): delete(id, completion: completion)
    case .restore(let id): restore(id, completion: completion)
    }
  }

  /// Closes the list for good, as ``PostsState`` describes it. Call this method when the user signs out. After this call, nothing is
  /// sent.
  public func close() {
    let cancelled = queue.sync { () -> CancellationToken? in
      store.update { $0.close() }
      callers.close(throwing: PostError.closed)
      waiting = [:]
      return slot.cancel()
    }
    // Outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  private func run(_ intent: ListIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard let request = state.request(for: intent) else { return slot.notify(completion) }
      store.update { $0.begin(request) }
      slot.run(completion) {
        service.posts(request, completion: $0)
      } receive: { [weak self] result in
        self?.receive(TaskOutcome(result))
      }
    }
  }

  private func receive(_ outcome: TaskOutcome<Page<Post>>) {
    if let alert = store.update({ $0.receive(outcome) }) { emit(alert) }
  }

  private func begin(
    _ completion: @escaping Completion,
    _ change: @escaping @Sendable (inout PostsState) throws(PostError) -> PendingPostChange
  ) {
    queue.async { [self] in
      do {
        let change = try store.update(change)
        let caller = callers.add { [callbackQueue] result in callbackQueue.async { completion(result) } }
        // Captures `self` strongly: the view model stays alive until the waiting change is sent.
        let send = { self.send(change, caller) }
        if state.isDue(change) { send() } else { waiting[change.id] = send }
      } catch {
        complete(completion, .failure(error))
      }
    }
  }

  private func send(_ change: PendingPostChange, _ caller: ChangeCallers.ID) {
    runToCompletion {
      change.send(to: service, completion: $0)
    } completion: { [weak self, callers] result in
      guard let self else { return callers.complete(caller, result) }
      queue.async { self.end(change, result, caller) }
    }
  }

  private func end(
    _ change: PendingPostChange, _ result: Result<Void, any Error>, _ caller: ChangeCallers.ID
  ) {
    let step = store.update { $0.end(change, TaskOutcome(result)) }
    if let event = step.event { emit(event) }
    callers.complete(caller, result)
    if let next = step.next { waiting.removeValue(forKey: next)?() }
  }

  private func emit(_ event: PostsEvent) {
    eventBinding.send(event)
  }

  private func emitOnce(_ event: PostsEvent) {
    guard unreceived.insert(event).inserted else { return }
    emit(event)
    // Runs after the observer has received the event.
    callbackQueue.async { [weak self] in self?.queue.async { [weak self] in self?.unreceived.remove(event) } }
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
