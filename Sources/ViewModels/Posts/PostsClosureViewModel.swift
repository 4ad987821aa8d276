public import AsyncViewModels
public import Dispatch
public import StorefrontDomain
import Synchronization

/// The view model of the posts, in the closure stage: completion handlers, one observer of the state and one of the events.
///
/// - Isolation: The private serial `queue` guards the request; the compiler does not check this. The observer of the
///   state, the observer of the events and the completion handlers are called on `callbackQueue`.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order of the calls. ``select(_:)`` and
///   ``cancel()`` take effect before they return. All other intents take effect asynchronously. If a new load replaces a running
///   one, the answer to the old load is dropped, and the callers of both loads wait for the new one. The service may answer
///   deletions in any order.
/// - Cancellation: Releasing the view model cancels the load. A deletion is never cancelled.
/// - Hazards: There is one observer of the state and one of the events, and a new binding replaces the old one. An event is lost if
///   it is sent while there is no observer of the events. If a second screen binds the events, the first screen receives no more
///   events. Observers and completion handlers keep alive the objects that they capture strongly. ``select(_:)`` and ``cancel()``
///   wait for `queue`, so they deadlock if they are called on `queue`, for example by a service that is starting a request.
public final class PostsClosureViewModel: @unchecked Sendable {
  /// Called once, when the load is over: it has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the result of a deletion: success, or the reason why the deletion failed.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let store = CallbackState(PostsState())
  private let liveObject = LiveObjectToken(.viewModel, "PostsClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any PostClosureService
  /// The latest event.
  private let eventBinding = CallbackState<PostsEvent?>(nil)
  private let slot: RequestSlot

  /// Creates a view model. The initializer loads nothing.
  public init(service: any PostClosureService, callbackQueue: DispatchQueue = .main) {
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
    // Skips the first value: the latest event from before this binding, or `nil`.
    let isBound = Mutex(false)
    return eventBinding.bind(on: callbackQueue) { event in
      if isBound.withLock({ exchange(&$0, with: true) }), let event { observer(event) }
    }
  }

  /// Loads the posts, unless they are already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  ///
  /// `completion` is called once, when the load is over, or right away if there is nothing to wait for.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the posts again, and replaces a load that is in progress. The old posts stay until the answer arrives. If a refresh of
  /// loaded posts fails, the old posts stay, and an alert is sent as an event.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load in progress, if any, and restores the state from before the load. Deletions continue.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard state.isLoading else { return nil }
      store.update { $0.cancel() }
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  /// Selects a post: sends the route to the post as an event.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown.
  public func select(_ id: Post.ID) throws(PostError) {
    let result = queue.sync { Result { () throws(PostError) in emit(try state.select(id)) } }
    try result.get()
  }

  /// Deletes a post. The post is hidden without waiting for the service. `completion` is called once, when the deletion has
  /// succeeded or failed.
  ///
  /// The deletion fails with ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown, or if the service does not
  /// know the post. In the second case, the post stays hidden. Any other failure is the error of the request. In that case, the
  /// post is shown again, and an alert is sent as an event unless the error is a cancellation.
  public func delete(_ id: Post.ID, completion: @escaping Completion = { _ in }) {
    queue.async { [self] in
      do {
        send(try store.update { state throws(PostError) in try state.beginDeletion(of: id) }, completion)
      } catch {
        complete(completion, .failure(error))
      }
    }
  }

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard state.needsRequest(for: intent) else { return slot.notify(completion) }
      store.update { $0.begin() }
      slot.run(completion) {
        service.posts(completion: $0)
      } receive: { [weak self] result in
        self?.receive(TaskOutcome(result))
      }
    }
  }

  private func receive(_ outcome: TaskOutcome<[Post]>) {
    if let alert = store.update({ $0.receive(outcome) }) { emit(alert) }
  }

  private func send(_ deletion: PendingDeletion, _ completion: @escaping Completion) {
    runToCompletion {
      service.delete(deletion.post.id, completion: $0)
    } completion: { [weak self, callbackQueue] result in
      guard let self else { return callbackQueue.async { completion(result) } }
      queue.async { self.end(deletion, result, completion) }
    }
  }

  private func end(
    _ deletion: PendingDeletion, _ result: Result<Void, any Error>, _ completion: @escaping Completion
  ) {
    let alert = store.update { $0.endDeletion(deletion, TaskOutcome(result)) }
    if let alert { emit(alert) }
    complete(completion, result)
  }

  private func emit(_ event: PostsEvent) {
    eventBinding.send(event)
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
