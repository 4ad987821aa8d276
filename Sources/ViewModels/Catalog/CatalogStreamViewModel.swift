public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the storefront's catalog, grouped by availability, in the stream stage.
public typealias ProductCatalogStreamViewModel = CatalogStreamViewModel<Availability, CatalogProduct>

/// The view model of a catalog in sections, in the stream stage. See ``CatalogState``.
///
/// - Isolation: `queue` guards the request. Calls handlers on `callbackQueue`.
/// - Ordering: Intents take effect in call order, ``cancel()`` before it returns.
/// - Cancellation: Releasing the view model cancels the load. A cancelled load publishes nothing.
/// - Hazards: Handlers retain their captures. The control flow of a load is spread over three
///   methods. ``cancel()`` deadlocks on `queue`: in a service that starts a request, or the
///   `deinit` of a replaced item.
public final class CatalogStreamViewModel<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: StateSource, @unchecked Sendable where Item.ID: Sendable {
  /// Called once, when the load is over, or right away if there is none.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: StateStore<CatalogState<SectionID, Item>>
  private let liveObject = LiveObjectToken(.viewModel, "CatalogStreamViewModel")
  private let queue: DispatchQueue
  private let service: any PageClosureService<Item>
  private let slot: RequestSlot

  /// Creates a view model, and loads nothing.
  ///
  /// - Parameter section: Returns the section of an item.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageClosureService<Item>, pageSize: Int = 100,
    section: @escaping @Sendable (Item) -> SectionID, callbackQueue: DispatchQueue = .main
  ) {
    store = StateStore(CatalogState(pageSize: pageSize, section: section))
    queue = DispatchQueue(label: "CatalogStreamViewModel")
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// Loads all pages. See ``CatalogState``.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the catalog again. See ``CatalogState``.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load. See ``CatalogState``.
  public func cancel() {
    slot.cancel { store.update { $0.cancel() } }
  }

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard let first = state.request(for: intent) else { return slot.notify(completion) }
      store.update { $0.begin(first, for: intent) }
      request(first, completion)
    }
  }

  private func request(_ page: PageRequest, _ completion: LoadCompletion? = nil) {
    slot.run(completion) {
      service.page(page, completion: $0)
    } receive: { [weak self] result in
      if let self, let next = receive(TaskOutcome(result)) { request(next) }
    }
  }

  /// Adds the response outside the lock, because the difference of the snapshots takes time. No
  /// update is lost: intents change the state one after another.
  private func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    var state = state
    let next = state.receive(outcome)
    store.send(state)
    return next
  }
}

extension CatalogStreamViewModel<Availability, CatalogProduct> {
  /// Creates the view model of the storefront's catalog, and loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public convenience init(
    service: any PageClosureService<CatalogProduct>, pageSize: Int = 100, callbackQueue: DispatchQueue = .main
  ) {
    self.init(
      service: service, pageSize: pageSize, section: \.availability, callbackQueue: callbackQueue)
  }
}
