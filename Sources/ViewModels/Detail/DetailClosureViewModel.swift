public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The storefront's screen of one product, in the closure stage.
public typealias ProductDetailClosureViewModel = DetailClosureViewModel<Product>

/// The screen of one item, in the closure stage. A route or a link contains all that identifies the screen: the ID of the item
/// and a ``DetailSource``.
///
/// - Isolation: `queue` guards the state and the request, by convention. The observer and the completion handlers are called on
///   `callbackQueue`.
/// - Ordering: Intents take effect asynchronously, in the order of the calls. The answer to a superseded request is dropped, and
///   its callers wait for the newer one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load sends no more states. A state that was sent before may still
///   reach the observer. Releasing the view model cancels the request.
/// - Hazards: There is one observer, and the last binding wins. ``state`` and ``cancel()`` wait for the queue, so they deadlock
///   there.
public final class DetailClosureViewModel<Item: Sendable & Identifiable>: @unchecked Sendable
where Item.ID: Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void

  private let liveObject = LiveObjectToken(.viewModel, "DetailClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any DetailClosureService<Item>
  private let slot: RequestSlot
  private let binding: CallbackState<DetailState<Item>>
  private var current: DetailState<Item>  // guarded by `queue`

  /// Creates the screen of an item. It loads nothing until the first intent.
  public init(
    itemID: Item.ID, source: DetailSource, service: any DetailClosureService<Item>,
    callbackQueue: DispatchQueue = .main
  ) {
    queue = DispatchQueue(label: "DetailClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
    current = DetailState(itemID: itemID, source: source)
    binding = CallbackState(current)
  }

  /// The current state. Waits for the queue.
  public var state: DetailState<Item> { queue.sync { current } }

  /// Sets the observer. It receives the current state and then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (DetailState<Item>) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Loads the item, unless it is loaded. Joins a load that is in progress.
  ///
  /// If the item does not exist, the load fails with ``/StorefrontDomain/ServiceError/notFound(_:)``, which names it.
  ///
  /// `completion` is called once, when the load is over.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the item again, and replaces a load in progress. The old item stays until the answer arrives. After a failure, the
  /// screen shows both.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load in progress and restores the state before it.
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

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard current.needsRequest(for: intent) else { return slot.notify(completion) }
      current.begin()
      binding.send(current)
      slot.run(completion) {
        service.detail(of: current.itemID, completion: $0)
      } receive: { [weak self] result in
        self?.receive(TaskOutcome(result))
      }
    }
  }

  private func receive(_ outcome: TaskOutcome<Item>) {
    current.receive(outcome)
    binding.send(current)
  }
}
