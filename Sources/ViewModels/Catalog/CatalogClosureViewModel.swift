public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The storefront's catalog, in the closure stage.
public typealias ProductCatalogClosureViewModel = CatalogClosureViewModel<Availability, Product>

/// A catalog in sections, in the closure stage.
///
/// - Isolation: `queue` guards the state and the request, by convention. The observer and the completion handlers are called on
///   `callbackQueue`.
/// - Ordering: Intents take effect asynchronously, in the order of the calls. The answer to a superseded request is dropped, and
///   its callers wait for the newer one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load sends no more states. A state that was sent before may still
///   reach the observer. Releasing the view model cancels the load.
/// - Hazards: There is one observer, and the last binding wins. A chain of completion handlers reads page after page. ``state``
///   and ``cancel()`` wait for the queue, so they deadlock there.
public final class CatalogClosureViewModel<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: @unchecked Sendable where Item.ID: Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void

  private let liveObject = LiveObjectToken(.viewModel, "CatalogClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any PageClosureService<Item>
  private let slot: RequestSlot
  private let binding: CallbackState<CatalogState<SectionID, Item>>
  private var current: CatalogState<SectionID, Item>  // guarded by `queue`

  /// - Parameter section: Returns the section of an item.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageClosureService<Item>, pageSize: Int = 100,
    section: @escaping @Sendable (Item) -> SectionID, callbackQueue: DispatchQueue = .main
  ) {
    queue = DispatchQueue(label: "CatalogClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
    current = CatalogState(pageSize: pageSize, section: section)
    binding = CallbackState(current)
  }

  /// The current state. Waits for the queue.
  public var state: CatalogState<SectionID, Item> { queue.sync { current } }

  /// Sets the observer. It receives the current state and then every later one, on the callback queue.
  public func bind(
    _ observer: @escaping @Sendable (CatalogState<SectionID, Item>) -> Void
  ) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Loads the catalog to its end and shows each page when it arrives. Continues after a cancellation or a failure. Joins a load
  /// that is in progress.
  ///
  /// `completion` is called once, when the load is over.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the catalog again, and replaces a load in progress. The old one stays until the new one is complete. After a failure,
  /// the screen shows both.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load in progress. The content stays.
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

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard let first = current.request(for: intent) else { return slot.notify(completion) }
      current.begin(first, for: intent)
      binding.send(current)
      read(first, completion)
    }
  }

  private func read(_ request: PageRequest, _ completion: LoadCompletion? = nil) {
    slot.run(completion) {
      service.page(request, completion: $0)
    } receive: { [weak self] result in
      if let self, let next = receive(TaskOutcome(result)) { read(next) }
    }
  }

  private func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    let next = current.receive(outcome)
    binding.send(current)
    return next
  }
}

extension CatalogClosureViewModel<Availability, Product> {
  /// Creates the storefront's catalog.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public convenience init(
    service: any PageClosureService<Product>, pageSize: Int = 100, callbackQueue: DispatchQueue = .main
  ) {
    self.init(
      service: service, pageSize: pageSize, section: \.availability, callbackQueue: callbackQueue)
  }
}
