public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The posts, in the stream stage.
///
/// - Isolation: `queue` guards the request, by convention. Completion handlers are called on `callbackQueue`. Use `state`,
///   `states()` and ``events()`` from any thread.
/// - Ordering: Loads and deletions take effect asynchronously, in the order of the calls. The answer to a superseded load is
///   dropped, and its callers wait for the newer one. Deletions may be answered in any order.
/// - Cancellation: Releasing the view model cancels the load. A deletion is never cancelled.
/// - Hazards: None for observers. Intents still have completion handlers. ``select(_:)`` and ``cancel()`` wait for the queue, so
///   they deadlock if they are called there.
public final class PostsStreamViewModel: StateSource, @unchecked Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the answer of the service to a deletion.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  public let store = ObservableState(PostsState())
  private let liveObject = LiveObjectToken(.viewModel, "PostsStreamViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any PostClosureService
  private let channel = EventChannel<PostsEvent>()
  private let slot: RequestSlot

  /// Creates a screen of posts. It loads nothing until the first intent.
  public init(service: any PostClosureService, callbackQueue: DispatchQueue = .main) {
    queue = DispatchQueue(label: "PostsStreamViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// Creates an observer of the events. A route and a refused deletion go to exactly one observer: the first that reads them, now or
  /// later. A failed refresh goes to the current observers.
  public func events() -> AsyncStream<PostsEvent> { channel.stream() }

  /// Loads the posts, unless they are loaded. Joins a load that is in progress.
  ///
  /// `completion` is called once, when the load is over.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the posts again, and replaces a load in progress. The old posts stay until the answer arrives. A failure is an alert.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load in progress and restores the state before it. Deletions continue.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard state.isLoading else { return nil }
      store.update { $0.cancel() }
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  /// Selects a post. The route to it is an event.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown.
  public func select(_ id: Post.ID) throws(PostError) {
    let route = queue.sync { Result { () throws(PostError) in try state.select(id) } }
    channel.keepForFirstObserver(try route.get())
  }

  /// Deletes a post. The post is hidden soon; `completion` is called once, when the service has answered.
  ///
  /// Fails with ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown. Otherwise with the reason that the service did
  /// not delete it; the post is then back in its place, and the failure is also an alert.
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
