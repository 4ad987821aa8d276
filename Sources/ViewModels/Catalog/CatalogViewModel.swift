public import AsyncViewModels
public import StorefrontDomain

/// The storefront's catalogue, in sections by availability.
public typealias ProductCatalogViewModel = CatalogViewModel<Availability, Product>

/// A catalogue in sections, in the async stage.
///
/// - Isolation: runs on its host; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: intents take effect in the order in which they reach the actor; the answer to a request that was superseded is dropped.
/// - Cancellation: once ``cancel()`` has returned nothing more is published; reading ends when the view model goes away.
/// - Hazards: none of the stages before: any number of observers, reading page after page is a loop, and an intent can be awaited.
///
/// Each intent returns a task that ends when reading is over: what the intent began, or what it gave way to.
public actor CatalogViewModel<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
> where Item.ID: Sendable {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let liveObject = LiveObjectToken(.viewModel, "CatalogViewModel")
  private nonisolated let host: ActorHost
  private let service: any PageService<Item>
  private nonisolated let store: ObservableState<CatalogState<SectionID, Item>>
  private let slot = TaskSlot(.latest)
  private var running: Task<Void, Never>?

  /// - Parameter section: to which section an item belongs.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageService<Item>, pageSize: Int = 100, section: @escaping @Sendable (Item) -> SectionID,
    isolation: any Actor = Isolation()
  ) {
    host = ActorHost(isolation)
    self.service = service
    store = ObservableState(CatalogState(pageSize: pageSize, section: section))
  }

  public nonisolated var state: CatalogState<SectionID, Item> { store.value }

  /// A new observer: the current state, then the latest.
  public nonisolated func states() -> AsyncStream<CatalogState<SectionID, Item>> { store.stream() }

  /// Reads the catalogue to its end, and shows each page as it comes. Goes on where it was called off or failed; does nothing where
  /// all is there, and while anything is on its way.
  @discardableResult
  public func load() -> Task<Void, Never> { perform(.load) }

  /// Reads the catalogue anew, in place of whatever is on its way. The old one is shown until the new one is complete, and where
  /// reading fails, next to the failure.
  @discardableResult
  public func refresh() -> Task<Void, Never> { perform(.refresh) }

  /// Calls off what is on its way. What is shown stays.
  public func cancel() {
    guard store.value.underWay != nil else { return }
    slot.cancel()
    running = nil
    store.update { $0.cancel() }
  }

  private func perform(_ intent: CatalogIntent) -> Task<Void, Never> {
    guard let first = store.value.request(for: intent) else { return running ?? Task {} }
    store.update { $0.begin(first, for: intent) }
    let run = slot.run(
      on: self,
      inSteps: { [service] gate in
        var next: PageRequest? = first
        while let request = next {
          let outcome = await TaskOutcome { try await service.page(request) }
          next = await gate { $0.receive(outcome) } ?? nil
        }
      })
    running = run
    return run
  }

  /// The only writer is this actor, so the store's lock need not be held while two snapshots are compared.
  private func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    var state = store.value
    let next = state.receive(outcome)
    store.send(state)
    return next
  }
}

extension CatalogViewModel<Availability, Product> {
  /// The storefront's catalogue.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(service: any PageService<Product>, pageSize: Int = 100, isolation: any Actor = Isolation()) {
    self.init(service: service, pageSize: pageSize, section: \.availability, isolation: isolation)
  }
}
