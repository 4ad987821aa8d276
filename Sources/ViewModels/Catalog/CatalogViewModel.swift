public import AsyncViewModels
public import StorefrontDomain

/// The view model of the storefront's catalog, grouped by availability.
public typealias ProductCatalogViewModel = CatalogViewModel<Availability, CatalogProduct>

/// The view model of a catalog in sections, in the async stage: an actor with async methods.
///
/// - Isolation: The view model runs on the executor of its host, the actor that is passed as `isolation`. Use `state` and
///   `states()` from any thread.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order in which they reach the actor. If a
///   new request replaces a running one, the answer to the old request is dropped, and the callers of both requests wait for the
///   new one.
/// - Cancellation: A cancelled caller returns without waiting for the service. If no other caller waits for the load, the load is
///   cancelled. After ``cancel()`` returns, the cancelled load publishes no more states.
/// - Hazards: None of the hazards of the closure and stream stages: the compiler checks the isolation, callers need no completion
///   handlers, and the control flow of a load is one loop in one method.
public actor CatalogViewModel<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: ViewModelActor where Item.ID: Sendable {
  public nonisolated let hosted: HostedState<CatalogState<SectionID, Item>>
  private let liveObject = LiveObjectToken(.viewModel, "CatalogViewModel")
  private let service: any PageService<Item>
  private let slot = TaskSlot(.latest)

  /// Creates a view model. The initializer loads nothing.
  ///
  /// - Parameter section: Returns the section of an item.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageService<Item>, pageSize: Int = 100, section: @escaping @Sendable (Item) -> SectionID,
    isolation: (any Actor)? = nil
  ) {
    hosted = HostedState(CatalogState(pageSize: pageSize, section: section), on: isolation)
    self.service = service
  }

  /// Loads all pages of the catalog, and shows each page when it arrives. After a cancellation or a failure, continues with the
  /// first page that is missing. After a cursor has expired, loads the catalog again, like ``refresh()``. If a load or a
  /// refresh is in progress, joins it instead of sending another request.
  public func load() async { await perform(.load) }

  /// Loads the catalog again, and replaces a load that is in progress. The old catalog stays until the new one is complete. After a
  /// failure, the state contains the old catalog and the error.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load in progress, if any. The content stays.
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

  /// Adds the answer to a copy of the state, outside the store's lock. This takes time, because the state computes the difference
  /// between the old and the new snapshot. No update is lost, because only this actor changes the state.
  private func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    var state = state
    let next = state.receive(outcome)
    store.send(state)
    return next
  }
}

extension CatalogViewModel<Availability, CatalogProduct> {
  /// Creates the view model of the storefront's catalog. The initializer loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageService<CatalogProduct>, pageSize: Int = 100, isolation: (any Actor)? = nil
  ) {
    self.init(service: service, pageSize: pageSize, section: \.availability, isolation: isolation)
  }
}
