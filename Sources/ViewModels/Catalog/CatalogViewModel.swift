public import AsyncViewModels
public import StorefrontDomain

/// The view model of the storefront's catalog, grouped by availability.
public typealias ProductCatalogViewModel = CatalogViewModel<Availability, CatalogProduct>

/// The view model of a catalog in sections, in the async stage. See ``CatalogState``.
///
/// - Isolation: The executor of `isolation`. Use `state` and `states()` from any thread.
/// - Ordering: Intents take effect in the order in which they reach the actor.
/// - Cancellation: A cancelled caller returns early. The last caller to leave cancels the load.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor CatalogViewModel<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: ViewModelActor where Item.ID: Sendable {
  public nonisolated let modelState: ModelState<CatalogState<SectionID, Item>>
  private let liveObject = LiveObjectToken(.viewModel, "CatalogViewModel")
  private let service: any PageService<Item>
  private let slot = TaskSlot(.latest)

  /// Creates a view model, and loads nothing.
  ///
  /// - Parameter section: Returns the section of an item.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageService<Item>, pageSize: Int = 100, section: @escaping @Sendable (Item) -> SectionID,
    isolation: (any Actor)? = nil
  ) {
    modelState = ModelState(CatalogState(pageSize: pageSize, section: section), on: isolation)
    self.service = service
  }

  /// Loads all pages. See ``CatalogState``.
  public func load() async { await perform(.load) }

  /// Loads the catalog again. See ``CatalogState``.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load. See ``CatalogState``.
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

  /// Adds the response outside the lock, because the difference of the snapshots takes time. No
  /// update is lost: intents change the state one after another.
  private func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    var state = state
    let next = state.receive(outcome)
    store.send(state)
    return next
  }
}

extension CatalogViewModel<Availability, CatalogProduct> {
  /// Creates the view model of the storefront's catalog, and loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageService<CatalogProduct>, pageSize: Int = 100, isolation: (any Actor)? = nil
  ) {
    self.init(service: service, pageSize: pageSize, section: \.availability, isolation: isolation)
  }
}
