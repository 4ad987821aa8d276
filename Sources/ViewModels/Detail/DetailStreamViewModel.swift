public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The storefront's screen of one product, in the stream stage.
public typealias ProductDetailStreamViewModel = DetailStreamViewModel<Product>

/// The screen of one item, in the stream stage. A route or a link contains all that identifies the screen: the ID of the item and
/// a ``DetailSource``.
///
/// - Isolation: `queue` guards the request, by convention. Completion handlers are called on `callbackQueue`. Use `state` and
///   `states()` from any thread.
/// - Ordering: Intents take effect asynchronously, in the order of the calls. The answer to a superseded request is dropped, and
///   its callers wait for the newer one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load publishes no more states. Releasing the view model cancels the
///   request.
/// - Hazards: None for observers. Intents still have completion handlers. ``cancel()`` waits for the queue, so it deadlocks if it
///   is called there.
public final class DetailStreamViewModel<Item: Sendable & Identifiable>: StateSource, @unchecked Sendable
where Item.ID: Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: ObservableState<DetailState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "DetailStreamViewModel")
  private let queue: DispatchQueue
  private let service: any DetailClosureService<Item>
  private let slot: RequestSlot

  /// Creates the screen of an item. It loads nothing until the first intent.
  public init(
    itemID: Item.ID, source: DetailSource, service: any DetailClosureService<Item>,
    callbackQueue: DispatchQueue = .main
  ) {
    store = ObservableState(DetailState(itemID: itemID, source: source))
    queue = DispatchQueue(label: "DetailStreamViewModel")
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
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
      guard state.isLoading else { return nil }
      store.update { $0.cancel() }
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard state.needsRequest(for: intent) else { return slot.notify(completion) }
      store.update { $0.begin() }
      slot.run(completion) {
        service.detail(of: state.itemID, completion: $0)
      } receive: { [weak self] result in
        self?.store.update { $0.receive(TaskOutcome(result)) }
      }
    }
  }
}
