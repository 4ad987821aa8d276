public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The posts, in the closure stage.
///
/// - Isolation: `queue` guards the state and the request, by convention. Both observers and the completion handlers are called on
///   `callbackQueue`.
/// - Ordering: Loads and deletions take effect asynchronously, in the order of the calls. The answer to a superseded load is
///   dropped, and its callers wait for the newer one. Deletions may be answered in any order.
/// - Cancellation: Releasing the view model cancels the load. A deletion is never cancelled.
/// - Hazards: There is one observer of each kind, and the last binding wins: an event before the first binding is lost, and a
///   second screen takes the events away from the first. ``state``, ``select(_:)`` and ``cancel()`` wait for the queue, so they
///   deadlock there.
public final class PostsClosureViewModel: @unchecked Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the answer of the service to a deletion.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let liveObject = LiveObjectToken(.viewModel, "PostsClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any PostClosureService
  /// The event that is being delivered, otherwise `nil`.
  private let eventBinding = CallbackState<PostsEvent?>(nil)
  private let slot: RequestSlot
  private let binding = CallbackState(PostsState())
  private var current = PostsState()  // guarded by `queue`

  /// Creates a screen of posts. It loads nothing until the first intent.
  public init(service: any PostClosureService, callbackQueue: DispatchQueue = .main) {
    queue = DispatchQueue(label: "PostsClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// The current state. Waits for the queue.
  public var state: PostsState { queue.sync { current } }

  /// Sets the observer. It receives the current state and then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (PostsState) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Sets the observer of the events. It receives every later event, on the callback queue.
  public func bindEvents(_ observer: @escaping @Sendable (PostsEvent) -> Void) -> CancellationToken {
    eventBinding.bind(on: callbackQueue) { event in
      if let event { observer(event) }
    }
  }

  /// Loads the posts, unless they are loaded. Joins a load that is in progress.
  ///
  /// `completion` is called once, when the load is over.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the posts again, and replaces a load in progress. The old posts stay until the answer arrives. A failure is an alert.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load in progress and restores the state before it. Deletions continue.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard current.isLoading else { return nil }
      current.cancel()
      binding.send(current)
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  /// Selects a post. The route to it is an event.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown.
  public func select(_ id: Post.ID) throws(PostError) {
    let route = queue.sync { Result { () throws(PostError) in try current.select(id) } }
    emit(try route.get())
  }

  /// Deletes a post. The post is hidden soon; `completion` is called once, when the service has answered.
  ///
  /// Fails with ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown. Otherwise with the reason that the service did
  /// not delete it; the post is then back in its place, and the failure is also an alert.
  public func delete(_ id: Post.ID, completion: @escaping Completion = { _ in }) {
    queue.async { [self] in
      do {
        let deletion = try current.beginDeletion(of: id)
        binding.send(current)
        send(deletion, completion)
      } catch {
        complete(completion, .failure(error))
      }
    }
  }

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard current.needsRequest(for: intent) else { return slot.notify(completion) }
      current.begin()
      binding.send(current)
      slot.run(completion) {
        service.posts(completion: $0)
      } receive: { [weak self] result in
        self?.receive(TaskOutcome(result))
      }
    }
  }

  private func receive(_ outcome: TaskOutcome<[Post]>) {
    let alert = current.receive(outcome)
    binding.send(current)
    emit(alert)
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
    let alert = current.endDeletion(deletion, TaskOutcome(result))
    binding.send(current)
    emit(alert)
    complete(completion, result)
  }

  private func emit(_ event: PostsEvent?) {
    guard let event else { return }
    eventBinding.send(event)
    eventBinding.send(nil)
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
