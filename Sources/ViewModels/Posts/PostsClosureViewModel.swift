public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The posts, in the closure stage.
///
/// - Isolation: `queue` guards the state and the request, by convention; completions and both observers are called on
///   `callbackQueue`.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; answers to deletions may come in any
///   order; the list that was superseded is dropped.
/// - Cancellation: the end of the view model calls off the list that is on its way. A deletion that has begun is never called off.
/// - Hazards: one observer of each kind, the last binding wins: an event that fires before the screen has bound is lost, and a second
///   screen takes the events away from the first; ``state`` waits for the queue, and deadlocks on it.
public final class PostsClosureViewModel: @unchecked Sendable {
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let liveObject = LiveObjectToken(.viewModel, "PostsClosureViewModel")
  private let queue = DispatchQueue(label: "PostsClosureViewModel")
  private let callbackQueue: DispatchQueue
  private let service: any PostClosureService
  private let binding = CallbackState(PostsState())
  /// The event of this moment: there is none but while it is handed over.
  private let eventBinding = CallbackState<PostsEvent?>(nil)
  private var current = PostsState()  // guarded by `queue`
  private var running: CancellationToken?  // guarded by `queue`
  private var generation = 0  // guarded by `queue`

  public init(service: any PostClosureService, callbackQueue: DispatchQueue = .main) {
    self.service = service
    self.callbackQueue = callbackQueue
  }

  public var state: PostsState { queue.sync { current } }

  /// Makes `observer` the one observer: the current state, then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (PostsState) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Makes `observer` the one observer of the events: every one that fires from now on, on the callback queue.
  public func bindEvents(_ observer: @escaping @Sendable (PostsEvent) -> Void) -> CancellationToken {
    eventBinding.bind(on: callbackQueue) { event in
      if let event { observer(event) }
    }
  }

  /// Loads the posts. Where they are there, or on their way, nothing more is requested.
  public func load() {
    queue.async { [self] in
      if current.needsLoading { request() }
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
        emit(try current.select(id))
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
        try current.beginDeleting(id)
        binding.send(current)
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
    current.beginLoading()
    binding.send(current)
    running = service.posts { [weak self, generation] result in
      guard let self else { return }
      queue.async { self.receive(result, generation) }
    }
  }

  private func receive(_ result: Result<[Post], any Error>, _ generation: Int) {
    guard generation == self.generation else { return }
    running.take()?.finish()
    let event = current.receive(TaskOutcome(result))
    binding.send(current)
    emit(event)
  }

  private func receiveDeletion(
    of id: Post.ID, _ result: Result<Void, any Error>, _ completion: @escaping Completion
  ) {
    let event = current.receiveDeletion(of: id, TaskOutcome(result))
    binding.send(current)
    emit(event)
    complete(completion, result)
  }

  private func emit(_ event: PostsEvent?) {
    guard let event else { return }
    eventBinding.send(event)
    eventBinding.send(nil)
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
