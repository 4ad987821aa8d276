import AsyncViewModels
import Dispatch
public import StorefrontDomain

/// The storefront's screen of one product, in the stream stage.
public typealias ProductDetailStreamViewModel = DetailStreamViewModel<Product>

/// The screen of one item, in the stream stage. It is made from primitives, so that a route or a link can ask for it.
///
/// - Isolation: `queue` guards the request, by convention; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; the answer to a request that was called
///   off is dropped.
/// - Cancellation: once ``cancel()`` has returned nothing more is published; the request is cancelled when the view model goes away.
/// - Hazards: none of the closure stage in handing out state; ``cancel()`` still waits for the queue, and nobody is told when a load
///   has ended.
public final class DetailStreamViewModel<Item: Sendable & Identifiable>: @unchecked Sendable
where Item.ID: Sendable {
  private let liveObject = LiveObjectToken(.viewModel, "DetailStreamViewModel")
  private let queue = DispatchQueue(label: "DetailStreamViewModel")
  private let service: any DetailClosureService<Item>
  private let store: ObservableState<DetailState<Item>>
  private var running: CancellationToken?  // guarded by `queue`
  private var generation = 0  // guarded by `queue`

  public init(itemID: Item.ID, source: DetailSource, service: any DetailClosureService<Item>) {
    self.service = service
    store = ObservableState(DetailState(itemID: itemID, source: source))
  }

  public var state: DetailState<Item> { store.value }

  /// A new observer: the current state, then the latest.
  public func states() -> AsyncStream<DetailState<Item>> { store.stream() }

  /// Loads the item once, however many ask: where it is there, or on its way, nothing more is requested. After a failure it tries
  /// again. An item that does not exist is a ``/StorefrontDomain/ServiceError/notFound(_:)`` in the state, which names it.
  public func loadIfNeeded() {
    queue.async { [self] in
      let state = store.value
      guard state.needsLoading else { return }
      store.update { $0.beginLoading() }
      running = service.detail(of: state.itemID) { [weak self, generation] result in
        guard let self else { return }
        queue.async { self.receive(result, generation) }
      }
    }
  }

  /// Calls off what is on its way, and goes back to what was there before.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard store.value.content.isLoading else { return nil }
      generation += 1
      store.update { $0.cancel() }
      return running.take()
    }
    // Not on the queue: what a service does when it is cancelled is its own business, and may well ask for more.
    cancelled?.cancel()
  }

  private func receive(_ result: Result<Item, any Error>, _ generation: Int) {
    guard generation == self.generation else { return }
    running.take()?.finish()
    store.update { $0.receive(TaskOutcome(result)) }
  }
}
