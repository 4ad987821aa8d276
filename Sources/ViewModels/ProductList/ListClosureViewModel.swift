public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The storefront's list of products, in the closure stage.
public typealias ProductListClosureViewModel = ListClosureViewModel<Product>

/// A list that is loaded page by page, in the closure stage.
///
/// - Isolation: `queue` guards the state and the request, by convention. The observer and the completion handlers are called on
///   `callbackQueue`.
/// - Ordering: Intents take effect asynchronously, in the order of the calls. The answer to a superseded request is dropped, and
///   its callers wait for the newer one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load sends no more states. A state that was sent before may still
///   reach the observer. Releasing the view model cancels the request.
/// - Hazards: There is one observer, and the last binding wins. ``state`` and ``cancel()`` wait for the queue, so they deadlock
///   there.
public final class ListClosureViewModel<Item: Sendable & Identifiable>: @unchecked Sendable
where Item.ID: Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void

  private let liveObject = LiveObjectToken(.viewModel, "ListClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any PageClosureService<Item>
  private let slot: RequestSlot
  private let binding: CallbackState<ListState<Item>>
  private var current: ListState<Item>  // guarded by `queue`

  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageClosureService<Item>, pageSize: Int = 50, callbackQueue: DispatchQueue = .main
  ) {
    queue = DispatchQueue(label: "ListClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
    current = ListState(pageSize: pageSize)
    binding = CallbackState(current)
  }

  /// The current state. Waits for the queue.
  public var state: ListState<Item> { queue.sync { current } }

  /// Sets the observer. It receives the current state and then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (ListState<Item>) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Loads the first page, unless it is loaded. Joins a load that is in progress.
  ///
  /// `completion` is called once, when the load is over.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the first page again, and replaces a load in progress. The old content stays until the answer arrives. After a
  /// failure, the screen shows both.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Appends the next page. Does nothing at the end and before the first page. Joins a load that is in progress.
  public func loadNextPage(completion: LoadCompletion? = nil) { perform(.loadNextPage, completion) }

  /// Requests again the page that failed last. Joins a load that is in progress.
  public func retry(completion: LoadCompletion? = nil) { perform(.retry, completion) }

  /// Cancels the load in progress and restores the state before it.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard current.pendingRequest != nil else { return nil }
      current.cancel()
      binding.send(current)
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  private func perform(_ intent: ListIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard let request = current.request(for: intent) else { return slot.notify(completion) }
      current.begin(request)
      binding.send(current)
      slot.run(completion) {
        service.page(request, completion: $0)
      } receive: { [weak self] result in
        self?.receive(TaskOutcome(result))
      }
    }
  }

  private func receive(_ outcome: TaskOutcome<Page<Item>>) {
    current.receive(outcome)
    binding.send(current)
  }
}
