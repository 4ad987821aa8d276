public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The view model of the posts, in the stream stage: completion handlers, and any number of observers.
///
/// - Isolation: The private serial `queue` guards the request; the compiler does not check this. Completion handlers are called on
///   `callbackQueue`. Use `state`, `states()` and ``events()`` from any thread.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order of the calls. ``select(_:)`` and
///   ``cancel()`` take effect before they return. All other intents take effect asynchronously. If a new load replaces a running
///   one, the answer to the old load is dropped, and the callers of both loads wait for the new one. The service may answer
///   deletions in any order.
/// - Cancellation: Releasing the view model cancels the load. A deletion is never cancelled.
/// - Hazards: None for observers. Completion handlers keep alive the objects that they capture strongly. ``select(_:)`` and
///   ``cancel()`` wait for `queue`, so they deadlock if they are called on `queue`, for example by a service that is starting a
///   request.
public final class PostsStreamViewModel: StateSource, @unchecked Sendable {
  /// Called once, when the load is over: it has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the result of a deletion: success, or the reason why the deletion failed.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  public let store = ObservableState(PostsState())
  private let liveObject = LiveObjectToken(.viewModel, "PostsStreamViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any PostClosureService
  private let channel = EventChannel<PostsEvent>()
  private let slot: RequestSlot

  /// Creates a view model. The initializer loads nothing.
  public init(service: any PostClosureService, callbackQueue: DispatchQueue = .main) {
    queue = DispatchQueue(label: "PostsStreamViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// Creates an observer of the events. Each route and each alert of a failed deletion reaches exactly one
  /// observer: the first that reads it, now or later. The alert of a failed refresh reaches all current
  /// observers.
  public func events() -> AsyncStream<PostsEvent> { channel.stream() }

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
    let route = queue.sync { Result { () throws(PostError) in try state.select(id) } }
    channel.keepForFirstObserver(try route.get())
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
    if let alert = store.update({ $0.receive(outcome) }) { channel.send(alert) }
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
    if let alert { channel.keepForFirstObserver(alert) }
    complete(completion, result)
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
