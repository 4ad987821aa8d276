import AsyncViewModels
import Dispatch
@unsafe @preconcurrency package import OpenCombine
package import StorefrontDomain
package import StorefrontViewModels

/// The view model of the product list, written with Combine. See `ProductListState`.
///
/// - Isolation: The queue of `store`. Publishes on this queue.
/// - Ordering: Intents take effect before they return.
/// - Cancellation: Releasing the view model cancels the load, ends the reader of the feed, and
///   finishes the publishers.
/// - Hazards: A slow subscriber delays the view model. Each change copies the list.
///
/// `@unchecked Sendable`: the queue guards the subscriptions.
package final class ProductListCombineViewModel: @unchecked Sendable {
  private let store: StateSubject<ProductListState>
  /// The page to request in place of the request in flight, or `nil` to cancel that request.
  private let requests = PassthroughSubject<PageRequest?, Never>()
  private let feed: AnyPublisher<ProductUpdate, any Error>?
  private var reader: AnyCancellable?
  private var updates = UpdatesInFlight()
  private var cancellables: Set<AnyCancellable> = []

  /// - Precondition: `pageSize` is at least 1.
  package init(
    service: any PageClosureService<CatalogProduct>, feed: (any ProductClosureFeed)? = nil, pageSize: Int = 50
  ) {
    let store = StateSubject(ProductListState(pageSize: pageSize), label: "ProductListCombineViewModel")
    self.store = store
    self.feed = feed.map { feed in
      callbacks { feed.updates(of: nil, on: store.queue, receive: $0, completion: $1) }
    }
    requests
      .map { page -> AnyPublisher<Result<Page<CatalogProduct>, any Error>, Never> in
        guard let page else { return Empty().eraseToAnyPublisher() }
        return request(on: store.queue) { service.page(page, completion: $0) }
      }
      .switchToLatest()
      .sink { [weak self] in self?.receive(TaskOutcome($0)) }
      .store(in: &cancellables)
  }

  deinit { store.finish() }

  package var state: ProductListState { store.value }
  package var states: AnyPublisher<ProductListState, Never> { store.states }

  /// Each intent that loads returns a publisher that finishes when the load is over.
  @discardableResult
  package func load() -> AnyPublisher<Never, Never> { perform(.load) }

  @discardableResult
  package func refresh() -> AnyPublisher<Never, Never> { perform(.reload) }

  @discardableResult
  package func loadNextPage() -> AnyPublisher<Never, Never> { perform(.loadNextPage) }

  @discardableResult
  package func retry() -> AnyPublisher<Never, Never> { perform(.retry) }

  package func cancel() {
    store.sync {
      guard state.pendingRequest != nil else { return }
      store.update { $0.cancel() }
      updates.end()
      requests.send(nil)
    }
  }

  private func perform(_ intent: PageIntent) -> AnyPublisher<Never, Never> {
    store.sync {
      guard let request = state.request(for: intent) else { return }
      follow()
      store.update { $0.begin(request) }
      updates.begin()
      requests.send(request)
    }
    return states.first { $0.pendingRequest == nil }.ignoreOutput().eraseToAnyPublisher()
  }

  private func receive(_ outcome: TaskOutcome<Page<CatalogProduct>>) {
    let response = updates.end(with: outcome)
    store.update { $0.receive(response) }
  }

  private func follow() {
    guard let feed, !state.following.isActive else { return }
    store.update { $0.following.begin() }
    reader = feed.sink { [weak self] completion in
      self?.store.update { $0.following.end(TaskOutcome(completion)) }
    } receiveValue: { [weak self] update in
      self?.receive(update)
    }
  }

  private func receive(_ update: ProductUpdate) {
    updates.receive(update)
    if state.shows(update) { store.update { $0.receive(update) } }
  }
}
