import AsyncViewModels
import AsyncViewModelsRequests
@unsafe @preconcurrency package import OpenCombine
import OpenCombineDispatch
package import StorefrontDomain
package import StorefrontViewModels

/// The view model of the cart, written with Combine. See `CartState`.
///
/// - Isolation: The queue of `store`. Publishes on this queue.
/// - Ordering: Intents take effect before they return.
/// - Cancellation: A change is never cancelled, and keeps the view model alive until it is
///   answered. Releasing the view model cancels a load, ends the reader of the feed, and finishes
///   the publishers.
/// - Hazards: A slow subscriber delays the view model.
///
/// `@unchecked Sendable`: the queue guards the callers and the subscriptions.
package final class CartCombineViewModel: @unchecked Sendable {
  private typealias Response<Value> = AnyPublisher<Result<Value, any Error>, Never>

  private let store: StateSubject<CartState>
  private let savedStore: SavedStore<StateSubject<CartState>>
  private let response: ((CartRequest) -> Response<Void>)?
  /// Whether to ask the service for its cart, in place of the request in flight.
  private let cartRequests = PassthroughSubject<Bool, Never>()
  private let feed: AnyPublisher<ProductUpdate, any Error>?
  private var callers: [CartState.Changes.ID: Future<Void, any Error>.Promise] = [:]
  private var following: AnyCancellable?
  private var cancellables: Set<AnyCancellable> = []

  /// Creates a view model, and sends nothing. See the initializer of `CartViewModel`.
  package init<Time: Scheduler>(
    restoring saved: SavedCart = SavedCart(), service: (any CartClosureService)? = nil,
    storage: (any CartClosureStorage)? = nil, feed: (any ProductClosureFeed)? = nil,
    deadline: Duration = .seconds(60), scheduler: Time
  ) {
    let store = StateSubject(CartState(saved, hasService: service != nil), label: "CartCombineViewModel")
    self.store = store
    savedStore = SavedStore(store, in: storage)
    self.feed = feed.map { feed in
      callbacks { feed.updates(of: nil, on: store.queue, receive: $0, completion: $1) }
    }
    guard let service else {
      response = nil
      return
    }
    func inTime<Value>(_ response: Response<Value>) -> Response<Value> {
      response.timeout(.nanoseconds(Int(deadline / .nanoseconds(1))), scheduler: scheduler)
        .replaceEmpty(with: .failure(DeadlineExceeded(duration: deadline)))
        .receive(on: store.queue.ocombine).eraseToAnyPublisher()
    }
    response = { sent in
      inTime(
        request(on: store.queue) { completion in
          let (change, key) = (sent.unanswered.change, sent.unanswered.key)
          return sent.account.run { service.apply(change, key: key, completion: completion) }
        })
    }
    cartRequests
      .map { isDue -> Response<Cart> in
        guard isDue else { return Empty().eraseToAnyPublisher() }
        return inTime(request(on: store.queue) { service.cart(completion: $0) })
      }
      .switchToLatest()
      .sink { [weak self] in self?.receive(TaskOutcome($0)) }
      .store(in: &cancellables)
  }

  deinit { store.finish() }

  package var state: CartState { store.value }
  package var states: AnyPublisher<CartState, Never> { store.states }

  /// Each intent that changes the cart returns a future of its result.
  @discardableResult
  package func add(_ product: CatalogProduct, quantity: Int = 1) -> Future<Void, any Error> {
    perform(.add(product, quantity: quantity))
  }

  @discardableResult
  package func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) -> Future<Void, any Error> {
    perform(.setQuantity(quantity, of: id))
  }

  @discardableResult
  package func remove(_ id: CatalogProduct.ID) -> Future<Void, any Error> { perform(.remove(id)) }

  /// Returns a publisher that finishes when the load is over.
  @discardableResult
  package func load() -> AnyPublisher<Never, Never> {
    store.sync {
      follow()
      cartRequests.send(false)
      execute(store.update { $0.beginLoad() })
    }
    return states.first { !$0.isLoading }.ignoreOutput().eraseToAnyPublisher()
  }

  package func discardUnanswered() {
    store.sync { execute(savedStore.update { $0.discardUnanswered() }) }
  }

  package func cancel() {
    store.sync {
      guard state.isLoading else { return }
      store.update { $0.cancelLoad() }
      cartRequests.send(false)
    }
  }

  @discardableResult
  package func flush() -> Future<Void, any Error> {
    .completed { [savedStore] promise in savedStore.flush(completion: promise) }
  }

  @discardableResult
  package func close() -> Future<Void, Never> {
    store.sync {
      store.update { $0.close() }
      store.finish()
      for (change, caller) in callers.sorted(by: { $0.key < $1.key }) {
        callers[change] = nil
        caller(.failure(CartError.closed))
      }
      cartRequests.send(false)
      following = nil
    }
    return .completed { [savedStore] promise in
      savedStore.close(throwing: CartError.closed) { promise(.success(())) }
    }
  }

  private func perform(_ intent: CartIntent) -> Future<Void, any Error> {
    Future { [self] caller in
      store.sync {
        do {
          let step = try savedStore.update { try $0.begin(intent) }
          guard let change = step.change else { return caller(.success(())) }
          callers[change] = caller
          execute(step)
        } catch {
          caller(.failure(error))
        }
      }
    }
  }

  private func execute(_ step: CartStep) {
    for (change, result) in step.results { callers.removeValue(forKey: change)?(result) }
    for request in step.requests { send(request) }
    continueLoad()
  }

  private func send(_ request: CartRequest) {
    // The subscription retains `self`: other changes, which the cart already shows, may wait for this one.
    response?(request)
      .subscribe(
        Subscribers.Sink(receiveCompletion: { _ in }) { [self] result in
          execute(savedStore.update { $0.receive(TaskOutcome(result), for: request) })
        })
  }

  private func receive(_ cart: TaskOutcome<Cart>) {
    savedStore.update { $0.receiveCart(cart) }
    continueLoad()
  }

  /// Asks the service for its cart if it is due, and ends a load that is over.
  private func continueLoad() {
    if state.isCartDue, store.update({ $0.beginCartRequest() }) { cartRequests.send(true) }
    if !state.isLoading { cartRequests.send(false) }
  }

  private func follow() {
    guard let feed, state.canFollow else { return }
    store.update { $0.following.begin() }
    following = feed.sink { [weak self] completion in
      self?.store.update { $0.following.end(TaskOutcome(completion)) }
    } receiveValue: { [weak self] update in
      guard let self, state.needs(update) else { return }
      store.update { $0.receive(update) }
    }
  }
}
