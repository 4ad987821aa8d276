import AsyncViewModels
import Dispatch
public import StorefrontDomain

/// The storefront's catalogue, in the stream stage.
public typealias ProductCatalogStreamViewModel = CatalogStreamViewModel<Availability, Product>

/// A catalogue in sections, in the stream stage.
///
/// - Isolation: `queue` guards the request, by convention; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; the answer to a request that was
///   superseded is dropped.
/// - Cancellation: once ``cancel()`` has returned nothing more is published; reading ends when the view model goes away.
/// - Hazards: none of the closure stage in handing out state; but reading page after page is still a chain of completion handlers,
///   ``cancel()`` waits for the queue, and nobody is told when reading has ended.
public final class CatalogStreamViewModel<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: @unchecked Sendable where Item.ID: Sendable {
  private let liveObject = LiveObjectToken(.viewModel, "CatalogStreamViewModel")
  private let queue = DispatchQueue(label: "CatalogStreamViewModel")
  private let service: any PageClosureService<Item>
  private let store: ObservableState<CatalogState<SectionID, Item>>
  private var running: CancellationToken?  // guarded by `queue`
  private var generation = 0  // guarded by `queue`

  /// - Parameter section: to which section an item belongs.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageClosureService<Item>, pageSize: Int = 100,
    section: @escaping @Sendable (Item) -> SectionID
  ) {
    self.service = service
    store = ObservableState(CatalogState(pageSize: pageSize, section: section))
  }

  public var state: CatalogState<SectionID, Item> { store.value }

  /// A new observer: the current state, then the latest.
  public func states() -> AsyncStream<CatalogState<SectionID, Item>> { store.stream() }

  /// Reads the catalogue to its end, and shows each page as it comes. Goes on where it was called off or failed; does nothing where
  /// all is there, and while anything is on its way.
  public func load() { perform(.load) }

  /// Reads the catalogue anew, in place of whatever is on its way. The old one is shown until the new one is complete, and where
  /// reading fails, next to the failure.
  public func refresh() { perform(.refresh) }

  /// Calls off what is on its way. What is shown stays.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard store.value.underWay != nil else { return nil }
      store.update { $0.cancel() }
      return supersede()
    }
    // Not on the queue: what a service does when it is cancelled is its own business, and may well ask for the state.
    cancelled?.cancel()
  }

  private func perform(_ intent: CatalogIntent) {
    queue.async { [self] in
      guard let first = store.value.request(for: intent) else { return }
      supersede()?.cancelOffQueue()
      store.update { $0.begin(first, for: intent) }
      read(first)
    }
  }

  private func read(_ request: PageRequest) {
    running = service.page(request) { [weak self, generation] result in
      guard let self else { return }
      queue.async { self.receive(result, generation) }
    }
  }

  /// The only writer is the queue, so the store's lock need not be held while two snapshots are compared.
  private func receive(_ result: Result<Page<Item>, any Error>, _ generation: Int) {
    guard generation == self.generation else { return }
    running.take()?.finish()
    var state = store.value
    let next = state.receive(TaskOutcome(result))
    store.send(state)
    if let next { read(next) }
  }

  /// A service may answer in spite of a cancellation: the number tells that answer from the one that is awaited.
  ///
  /// - Returns: what is to be cancelled, where that does not hold up the queue.
  private func supersede() -> CancellationToken? {
    generation += 1
    return running.take()
  }
}

extension CatalogStreamViewModel<Availability, Product> {
  /// The storefront's catalogue.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public convenience init(service: any PageClosureService<Product>, pageSize: Int = 100) {
    self.init(service: service, pageSize: pageSize, section: \.availability)
  }
}
