public import AsyncViewModels
public import StorefrontDomain

/// The storefront's catalog, in sections by availability.
public typealias ProductCatalogViewModel = CatalogViewModel<Availability, Product>

/// A catalog in sections, in the async stage.
///
/// - Isolation: The host's. Use `state` and `states()` from any thread.
/// - Ordering: Intents take effect in the order in which they reach the actor. The answer to a superseded request is dropped, and
///   its callers wait for the newer one.
/// - Cancellation: A cancelled caller returns at once, and the load is cancelled unless another caller waits for it. After
///   ``cancel()`` returns, the cancelled load publishes no more states.
/// - Hazards: None of the earlier stages: the compiler checks the isolation, page after page is read in a loop, and an intent
///   returns when its load is over.
public actor CatalogViewModel<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: ViewModelActor where Item.ID: Sendable {
  public nonisolated let hosted: HostedState<CatalogState<SectionID, Item>>
  private let liveObject = LiveObjectToken(.viewModel, "CatalogViewModel")
  private let service: any PageService<Item>
  private let slot = TaskSlot(.latest)

  /// - Parameter section: Returns the section of an item.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageService<Item>, pageSize: Int = 100, section: @escaping @Sendable (Item) -> SectionID,
    isolation: any Actor = Isolation()
  ) {
    hosted = HostedState(CatalogState(pageSize: pageSize, section: section), on: isolation)
    self.service = service
  }

  /// Loads the catalog to its end and shows each page when it arrives. Continues after a cancellation or a failure. Joins a load that
  /// is in progress.
  public func load() async { await perform(.load) }

  /// Loads the catalog again, and replaces a load in progress. The old one stays until the new one is complete. After a failure,
  /// the screen shows both.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load in progress. The content stays.
  public func cancel() {
    guard state.pendingRequest != nil else { return }
    store.update { $0.cancel() }
    slot.cancel()
  }

  private func perform(_ intent: LoadIntent) async {
    guard let first = state.request(for: intent) else { return await slot.wait() }
    store.update { $0.begin(first, for: intent) }
    await slot.run(on: self) { [service] gate in
      var next: PageRequest? = first
      while let request = next {
        let outcome = await TaskOutcome { try await service.page(request) }
        next = await gate { $0.receive(outcome) } ?? nil
      }
    } onCancel: { model in
      model.store.update { $0.cancel() }
    }
  }

  /// Computes the next state outside the lock, because comparing two snapshots takes time. Only this actor changes the state.
  private func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    var state = state
    let next = state.receive(outcome)
    store.send(state)
    return next
  }
}

extension CatalogViewModel<Availability, Product> {
  /// Creates the storefront's catalog.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(service: any PageService<Product>, pageSize: Int = 100, isolation: any Actor = Isolation()) {
    self.init(service: service, pageSize: pageSize, section: \.availability, isolation: isolation)
  }
}
