public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain
import Synchronization

/// The view model of the posts, in the closure stage. See ``PostsState``.
///
/// - Isolation: `queue` guards the request and the waiting changes. Calls back on `callbackQueue`.
/// - Ordering: Intents take effect in call order; `select`, `cancel`, `close` before they return.
/// - Cancellation: A change is never cancelled, and keeps the view model alive while it waits.
///   Releasing the view model cancels the load.
/// - Hazards: One observer of the state, and one of the events: an event without an observer is
///   lost, and a second screen takes all events. Callbacks retain their captures. `select`,
///   `cancel` and `close` deadlock on `queue`: in a service that starts a request.
public final class PostsClosureViewModel: CallbackStateSource, @unchecked Sendable {
  /// Called once, when the load is over, or right away if there is none.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the result of an intent, once.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  public let store: CallbackState<PostsState>
  private let liveObject = LiveObjectToken(.viewModel, "PostsClosureViewModel")
  private let queue: DispatchQueue
  public let callbackQueue: DispatchQueue
  private let service: any PostClosureService
  private let eventBinding = CallbackState<PostsEvent?>(nil)
  private let slot: RequestSlot
  /// Sends the changes that wait for an earlier change of the same post. Guarded by `queue`.
  private var waiting: [PendingPostChange.ID: () -> Void] = [:]
  private let callers = ChangeCallers()

  /// The routes that the observer has not received. Guarded by `queue`.
  private var unreceived: Set<PostsEvent> = []

  /// Creates a view model, and loads nothing.
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

  /// Sets the observer of the events, in place of the previous one. It receives later events on
  /// `callbackQueue`, until the token is cancelled or released.
  public func bindEvents(_ observer: @escaping @Sendable (PostsEvent) -> Void) -> CancellationToken {
    // A route that the previous observer has not received is lost, and can be requested again.
    queue.async { [weak self] in self?.unreceived = [] }
    // Skips the first value: the latest event from before this binding, or `nil`.
    let isBound = Mutex(false)
    return eventBinding.bind(on: callbackQueue) { event in
      if isBound.withLock({ exchange(&$0, with: true) }), let event { observer(event) }
    }
  }

  /// Loads the first page. See ``PostsState``.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the first page again. See ``PostsState``.
  public func refresh(completion: LoadCompletion? = nil) { perform(.reload, completion) }

  /// Loads the next page. See ``PostsState``.
  public func loadNextPage(completion: LoadCompletion? = nil) { perform(.loadNextPage, completion) }

  /// Repeats the latest failed load. See ``PostsState``.
  public func retry(completion: LoadCompletion? = nil) { perform(.retry, completion) }

  /// Cancels the load. See ``PostsState``.
  public func cancel() {
    slot.cancel { store.update { $0.cancel() } }
  }

  /// Sends the route to a post as an event. See ``PostsState``.
  public func select(_ id: Post.ID) throws(PostError) {
    let result = queue.sync { Result { () throws(PostError) in emitOnce(try state.select(id)) } }
    try result.get()
  }

  /// Deletes a post. See ``PostsState``.
  public func delete(_ id: Post.ID, completion: @escaping Completion = { _ in }) {
    let account = AccountVersion.current
    begin(completion) { state throws(PostError) in try state.beginDeletion(of: id, for: account) }
  }

  /// Restores a deleted post. See ``PostsState``.
  public func restore(_ id: Post.ID, completion: @escaping Completion = { _ in }) {
    let account = AccountVersion.current
    begin(completion) { state throws(PostError) in try state.beginRestoration(of: id, for: account) }
  }

  /// Performs the action of a button in an alert or an offer. See ``PostsState``.
  public func perform(_ action: PostsAction, completion: @escaping Completion = { _ in }) {
    switch action {
    case .refresh: refresh { completion(.success(())) }
    case .delete(let id): delete(id, completion: completion)
    case .restore(let id): restore(id, completion: completion)
    }
  }

  /// Closes the list for good. See ``PostsState``.
  public func close() {
    let cancelled = queue.sync { () -> CancellationToken? in
      store.update { $0.close() }
      callers.close(throwing: PostError.closed)
      waiting = [:]
      return slot.cancel()
    }
    cancelled?.cancel()
  }

  private func perform(_ intent: PageIntent, _ completion: LoadCompletion?) {
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
        // Captures `self` strongly: the view model lives until the waiting change is sent.
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
