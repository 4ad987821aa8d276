public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The storefront's catalogue, in the closure stage.
public typealias ProductCatalogClosureViewModel = CatalogClosureViewModel<Availability, Product>

/// A catalogue in sections, in the closure stage.
///
/// - Isolation: `queue` guards the state and the request, by convention; the observer is called on `callbackQueue`.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; the answer to a request that was
///   superseded is dropped.
/// - Cancellation: once ``cancel()`` has returned nothing more is sent, but what was sent before may still be on its way to the
///   observer; reading ends when the view model goes away.
/// - Hazards: one observer, the last binding wins; reading page after page is a chain of completion handlers; ``state`` and ``cancel()``
///   wait for the queue, and deadlock on it; nobody is told when reading has ended.
public final class CatalogClosureViewModel<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: @unchecked Sendable where Item.ID: Sendable {
  private let liveObject = LiveObjectToken(.viewModel, "CatalogClosureViewModel")
  private let queue = DispatchQueue(label: "CatalogClosureViewModel")
  private let callbackQueue: DispatchQueue
  private let service: any PageClosureService<Item>
  private let binding: CallbackState<CatalogState<SectionID, Item>>
  private var current: CatalogState<SectionID, Item>  // guarded by `queue`
  private var running: CancellationToken?  // guarded by `queue`
  private var generation = 0  // guarded by `queue`

  /// - Parameter section: to which section an item belongs.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageClosureService<Item>, pageSize: Int = 100,
    section: @escaping @Sendable (Item) -> SectionID, callbackQueue: DispatchQueue = .main
  ) {
    self.service = service
    self.callbackQueue = callbackQueue
    current = CatalogState(pageSize: pageSize, section: section)
    binding = CallbackState(current)
  }

  public var state: CatalogState<SectionID, Item> { queue.sync { current } }

  /// Makes `observer` the one observer: the current state, then every later one, on the callback queue.
  public func bind(
    _ observer: @escaping @Sendable (CatalogState<SectionID, Item>) -> Void
  ) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Reads the catalogue to its end, and shows each page as it comes. Goes on where it was called off or failed; does nothing where
  /// all is there, and while anything is on its way.
  public func load() { perform(.load) }

  /// Reads the catalogue anew, in place of whatever is on its way. The old one is shown until the new one is complete, and where
  /// reading fails, next to the failure.
  public func refresh() { perform(.refresh) }

  /// Calls off what is on its way. What is shown stays.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard current.underWay != nil else { return nil }
      current.cancel()
      binding.send(current)
      return supersede()
    }
    // Not on the queue: what a service does when it is cancelled is its own business, and may well ask for the state.
    cancelled?.cancel()
  }

  private func perform(_ intent: CatalogIntent) {
    queue.async { [self] in
      guard let first = current.request(for: intent) else { return }
      supersede()?.cancelOffQueue()
      current.begin(first, for: intent)
      binding.send(current)
      read(first)
    }
  }

  private func read(_ request: PageRequest) {
    running = service.page(request) { [weak self, generation] result in
      guard let self else { return }
      queue.async { self.receive(result, generation) }
    }
  }

  private func receive(_ result: Result<Page<Item>, any Error>, _ generation: Int) {
    guard generation == self.generation else { return }
    running.take()?.finish()
    let next = current.receive(TaskOutcome(result))
    binding.send(current)
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

extension CatalogClosureViewModel<Availability, Product> {
  /// The storefront's catalogue.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public convenience init(
    service: any PageClosureService<Product>, pageSize: Int = 100, callbackQueue: DispatchQueue = .main
  ) {
    self.init(
      service: service, pageSize: pageSize, section: \.availability, callbackQueue: callbackQueue)
  }
}
