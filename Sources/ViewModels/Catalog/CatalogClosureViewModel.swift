public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the storefront's catalog, grouped by availability, in the closure stage.
public typealias ProductCatalogClosureViewModel = CatalogClosureViewModel<Availability, CatalogProduct>

/// The view model of a catalog in sections, in the closure stage: completion handlers and one observer.
///
/// - Isolation: The private serial `queue` guards the request; the compiler does not check this. The observer and the
///   completion handlers are called on `callbackQueue`.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order of the calls. ``cancel()`` takes
///   effect before it returns. All other intents take effect asynchronously. If a new request replaces a running one, the answer to
///   the old request is dropped, and the callers of both requests wait for the new one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load sends no more states. The observer may still receive states that
///   were sent before. Releasing the view model cancels the load.
/// - Hazards: There is one observer, and a new binding replaces it. Observers and completion handlers keep alive the objects that
///   they capture strongly. A chain of completion handlers loads the pages, so the control flow is spread over three methods.
///   ``cancel()`` waits for `queue`, so it deadlocks if it is called on `queue`, for example by a service that is starting a
///   request, or by the `deinit` of an item that a new answer replaces.
public final class CatalogClosureViewModel<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: @unchecked Sendable where Item.ID: Sendable {
  /// Called once, when the load is over: it has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void

  private let store: CallbackState<CatalogState<SectionID, Item>>
  private let liveObject = LiveObjectToken(.viewModel, "CatalogClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any PageClosureService<Item>
  private let slot: RequestSlot

  /// Creates a view model. The initializer loads nothing.
  ///
  /// - Parameter section: Returns the section of an item.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageClosureService<Item>, pageSize: Int = 100,
    section: @escaping @Sendable (Item) -> SectionID, callbackQueue: DispatchQueue = .main
  ) {
    store = CallbackState(CatalogState(pageSize: pageSize, section: section))
    queue = DispatchQueue(label: "CatalogClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// The current state. An intent that takes effect asynchronously may not be included yet.
  public var state: CatalogState<SectionID, Item> { store.value }

  /// Sets the observer, in place of the previous one. The observer receives the current state and then every later state, on
  /// `callbackQueue`.
  ///
  /// - Returns: A token that removes the observer when the token is cancelled or released.
  public func bind(
    _ observer: @escaping @Sendable (CatalogState<SectionID, Item>) -> Void
  ) -> CancellationToken {
    store.bind(on: callbackQueue, observer)
  }

  /// Loads all pages of the catalog, and shows each page when it arrives. After a cancellation or a failure, continues with the
  /// first page that is missing. After a cursor has expired, loads the catalog again, like ``refresh(completion:)``. If a load or a
  /// refresh is in progress, joins it instead of sending another request.
  ///
  /// `completion` is called once, when the load is over, or right away if there is nothing to wait for.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the catalog again, and replaces a load that is in progress. The old catalog stays until the new one is complete. After a
  /// failure, the state contains the old catalog and the error.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load in progress, if any. The content stays.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard state.pendingRequest != nil else { return nil }
      store.update { $0.cancel() }
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard let first = state.request(for: intent) else { return slot.notify(completion) }
      store.update { $0.begin(first, for: intent) }
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

  /// Adds the answer to a copy of the state, outside the store's lock. This takes time, because the state computes the difference
  /// between the old and the new snapshot. No update is lost, because only code on the queue changes the state.
  private func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    var state = state
    let next = state.receive(outcome)
    store.send(state)
    return next
  }
}

extension CatalogClosureViewModel<Availability, CatalogProduct> {
  /// Creates the view model of the storefront's catalog. The initializer loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public convenience init(
    service: any PageClosureService<CatalogProduct>, pageSize: Int = 100, callbackQueue: DispatchQueue = .main
  ) {
    self.init(
      service: service, pageSize: pageSize, section: \.availability, callbackQueue: callbackQueue)
  }
}
