public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The storefront's catalog, in the stream stage.
public typealias ProductCatalogStreamViewModel = CatalogStreamViewModel<Availability, Product>

/// A catalog in sections, in the stream stage.
///
/// - Isolation: `queue` guards the request, by convention. Completion handlers are called on `callbackQueue`. Use `state` and
///   `states()` from any thread.
/// - Ordering: Intents take effect asynchronously, in the order of the calls. The answer to a superseded request is dropped, and
///   its callers wait for the newer one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load publishes no more states. Releasing the view model cancels the
///   load.
/// - Hazards: None for observers. A chain of completion handlers still reads page after page. ``cancel()`` waits for the queue,
///   so it deadlocks if it is called there.
public final class CatalogStreamViewModel<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: StateSource, @unchecked Sendable where Item.ID: Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: ObservableState<CatalogState<SectionID, Item>>
  private let liveObject = LiveObjectToken(.viewModel, "CatalogStreamViewModel")
  private let queue: DispatchQueue
  private let service: any PageClosureService<Item>
  private let slot: RequestSlot

  /// - Parameter section: Returns the section of an item.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageClosureService<Item>, pageSize: Int = 100,
    section: @escaping @Sendable (Item) -> SectionID, callbackQueue: DispatchQueue = .main
  ) {
    store = ObservableState(CatalogState(pageSize: pageSize, section: section))
    queue = DispatchQueue(label: "CatalogStreamViewModel")
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
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

  /// Computes the next state outside the lock, because comparing two snapshots takes time. Only the queue changes the state.
  private func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    var state = state
    let next = state.receive(outcome)
    store.send(state)
    return next
  }
}

extension CatalogStreamViewModel<Availability, Product> {
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
