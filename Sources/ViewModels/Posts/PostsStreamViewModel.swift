import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The posts, in the stream stage.
///
/// - Isolation: `queue` guards the request, by convention; completions are called on `callbackQueue`; ``state``, ``states()`` and
///   ``events()`` may be used from anywhere.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; answers to deletions may come in any
///   order; the list that was superseded is dropped.
/// - Cancellation: the end of the view model calls off the list that is on its way. A deletion that has begun is never called off.
/// - Hazards: none of the closure stage in handing out state and events; its intents are still completion handlers.
public final class PostsStreamViewModel: @unchecked Sendable {
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let liveObject = LiveObjectToken(.viewModel, "PostsStreamViewModel")
  private let queue = DispatchQueue(label: "PostsStreamViewModel")
  private let callbackQueue: DispatchQueue
  private let service: any PostClosureService
  private let store = ObservableState(PostsState())
  private let channel = EventChannel<PostsEvent>()
  private var running: CancellationToken?  // guarded by `queue`
  private var generation = 0  // guarded by `queue`

  public init(service: any PostClosureService, callbackQueue: DispatchQueue = .main) {
    self.service = service
    self.callbackQueue = callbackQueue
  }

  public var state: PostsState { store.value }

  /// A new observer: the current state, then the latest.
  public func states() -> AsyncStream<PostsState> { store.stream() }

  /// A new observer of the events. Where a tap leads, and that a deletion was refused, goes to exactly one observer: whoever reads it
  /// first, now or later. That a refresh has failed goes to those who are there, and to nobody later.
  public func events() -> AsyncStream<PostsEvent> { channel.stream() }

  /// Loads the posts. Where they are there, or on their way, nothing more is requested.
  public func load() {
    queue.async { [self] in
      if state.needsLoading { request() }
    }
  }

  /// Loads the posts again, in place of whatever list is on its way. The old ones stay until the answer is there; where that is a
  /// failure, they stay with an alert.
  public func refresh() {
    queue.async { [self] in request() }
  }

  /// Chooses a post: where that leads is an event. Fails with ``/StorefrontDomain/PostError/unknownPost(_:)`` where it is not shown.
  public func select(_ id: Post.ID, completion: @escaping Completion = { _ in }) {
    queue.async { [self] in
      do {
        emit(try state.select(id))
        complete(completion, .success(()))
      } catch {
        complete(completion, .failure(error))
      }
    }
  }

  /// Deletes a post. It is hidden soon; where the service refuses it is back, with an alert. `completion` is called once, when the
  /// service has answered.
  ///
  /// Fails with ``/StorefrontDomain/PostError/unknownPost(_:)`` where it is not shown, else with what kept the service from deleting it.
  public func delete(_ id: Post.ID, completion: @escaping Completion = { _ in }) {
    queue.async { [self] in
      do {
        try store.update { state throws(PostError) in try state.beginDeleting(id) }
      } catch {
        return complete(completion, .failure(error))
      }
      runToCompletion {
        service.delete(id, completion: $0)
      } completion: { [weak self, callbackQueue] result in
        guard let self else { return callbackQueue.async { completion(result) } }
        queue.async { self.receiveDeletion(of: id, result, completion) }
      }
    }
  }

  private func request() {
    supersede()?.cancelOffQueue()
    store.update { $0.beginLoading() }
    running = service.posts { [weak self, generation] result in
      guard let self else { return }
      queue.async { self.receive(result, generation) }
    }
  }

  private func receive(_ result: Result<[Post], any Error>, _ generation: Int) {
    guard generation == self.generation else { return }
    running.take()?.finish()
    if let alert = store.update({ $0.receive(TaskOutcome(result)) }) { channel.send(alert) }
  }

  private func receiveDeletion(
    of id: Post.ID, _ result: Result<Void, any Error>, _ completion: @escaping Completion
  ) {
    emit(store.update { $0.receiveDeletion(of: id, TaskOutcome(result)) })
    complete(completion, result)
  }

  private func emit(_ event: PostsEvent?) {
    if let event { channel.keepForFirstObserver(event) }
  }

  /// A service may answer in spite of a cancellation: the number tells that answer from the one that is awaited.
  ///
  /// - Returns: what is to be cancelled, where that does not hold up the queue.
  private func supersede() -> CancellationToken? {
    generation += 1
    return running.take()
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
