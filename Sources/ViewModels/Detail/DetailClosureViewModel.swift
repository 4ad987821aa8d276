public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The storefront's screen of one product, in the closure stage.
public typealias ProductDetailClosureViewModel = DetailClosureViewModel<Product>

/// The screen of one item, in the closure stage. It is made from primitives, so that a route or a link can ask for it.
///
/// - Isolation: `queue` guards the state and the request, by convention; the observer is called on `callbackQueue`.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; the answer to a request that was called
///   off is dropped.
/// - Cancellation: once ``cancel()`` has returned nothing more is sent, but what was sent before may still be on its way to the
///   observer; the request is cancelled when the view model goes away.
/// - Hazards: one observer, the last binding wins; ``state`` and ``cancel()`` wait for the queue, and deadlock on it; nobody is told
///   when a load has ended.
public final class DetailClosureViewModel<Item: Sendable & Identifiable>: @unchecked Sendable
where Item.ID: Sendable {
  private let liveObject = LiveObjectToken(.viewModel, "DetailClosureViewModel")
  private let queue = DispatchQueue(label: "DetailClosureViewModel")
  private let callbackQueue: DispatchQueue
  private let service: any DetailClosureService<Item>
  private let binding: CallbackState<DetailState<Item>>
  private var current: DetailState<Item>  // guarded by `queue`
  private var running: CancellationToken?  // guarded by `queue`
  private var generation = 0  // guarded by `queue`

  public init(
    itemID: Item.ID, source: DetailSource, service: any DetailClosureService<Item>,
    callbackQueue: DispatchQueue = .main
  ) {
    self.service = service
    self.callbackQueue = callbackQueue
    current = DetailState(itemID: itemID, source: source)
    binding = CallbackState(current)
  }

  public var state: DetailState<Item> { queue.sync { current } }

  /// Makes `observer` the one observer: the current state, then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (DetailState<Item>) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Loads the item once, however many ask: where it is there, or on its way, nothing more is requested. After a failure it tries
  /// again. An item that does not exist is a ``/StorefrontDomain/ServiceError/notFound(_:)`` in the state, which names it.
  public func loadIfNeeded() {
    queue.async { [self] in
      guard current.needsLoading else { return }
      current.beginLoading()
      binding.send(current)
      running = service.detail(of: current.itemID) { [weak self, generation] result in
        guard let self else { return }
        queue.async { self.receive(result, generation) }
      }
    }
  }

  /// Calls off what is on its way, and goes back to what was there before.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard current.content.isLoading else { return nil }
      generation += 1
      current.cancel()
      binding.send(current)
      return running.take()
    }
    // Not on the queue: what a service does when it is cancelled is its own business, and may well ask for the state.
    cancelled?.cancel()
  }

  private func receive(_ result: Result<Item, any Error>, _ generation: Int) {
    guard generation == self.generation else { return }
    running.take()?.finish()
    current.receive(TaskOutcome(result))
    binding.send(current)
  }
}
