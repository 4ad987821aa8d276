public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of a product's page, in the stream stage. See ``ProductPageState``.
///
/// - Isolation: `queue` receives the states of the children. Calls handlers on `callbackQueue`.
/// - Ordering: ``cancel()`` takes effect before it returns. A handler's state includes its intent.
/// - Cancellation: A change of the cart outlives the page. Releasing the page releases its detail.
/// - Hazards: Handlers retain their captures. ``cancel()`` deadlocks in a service that starts a
///   request.
public final class ProductPageStreamViewModel: StateSource, @unchecked Sendable {
  /// Called once, when the load is over, or right away if there is none.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the result of a change, once.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  public let store: StateStore<ProductPageState>
  private let liveObject = LiveObjectToken(.viewModel, "ProductPageStreamViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let detail: ProductDetailStreamViewModel
  private let cart: any SharedClosureCart
  private var observations: [CancellationToken] = []  // set in the initializer

  /// Creates a view model, and loads nothing. See the initializer of ``ProductPageViewModel``.
  public init(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailClosureService<CatalogProduct>,
    feed: (any ProductClosureFeed)? = nil, cart: any SharedClosureCart,
    updateInterval: Duration = .milliseconds(100), clock: any Clock<Duration> = ContinuousClock(),
    callbackQueue: DispatchQueue = .main
  ) {
    let queue = DispatchQueue(label: "ProductPageStreamViewModel")
    let detail = ProductDetailStreamViewModel(
      itemID: itemID, source: source, service: service, feed: feed, callbackQueue: queue)
    store = StateStore(ProductPageState(detail: detail.state, cart: cart.state))
    self.queue = queue
    self.callbackQueue = callbackQueue
    self.detail = detail
    self.cart = cart
    let details = detail.states().throttled(for: updateInterval, clock: clock)
    observations = [
      details.observe(on: queue) { [weak self] _ in self?.show() },
      detail.states(of: \.isLoading).observe(on: queue) { [weak self] _ in self?.showAtOnce() },
      cart.observe(on: queue) { [weak self] _ in self?.showAtOnce() },
    ]
  }

  deinit { for observation in observations { observation.cancelOnGlobalQueue() } }

  /// Loads the product. See ``ProductDetailState``.
  public func load(completion: LoadCompletion? = nil) { detail.load(completion: ending(completion)) }

  /// Loads the product again. See ``ProductDetailState``.
  public func refresh(completion: LoadCompletion? = nil) { detail.refresh(completion: ending(completion)) }

  /// Adds units to the cart. See ``ProductPageState``.
  public func add(quantity: Int = 1, completion: @escaping Completion = { _ in }) {
    let account = AccountVersion.current
    queue.async { [self] in
      do {
        let product = try state.productToAdd()
        account.run {
          cart.add(product, quantity: quantity) { [weak self, callbackQueue] result in
            self?.show()
            callbackQueue.async { completion(result) }
          }
        }
      } catch {
        callbackQueue.async { completion(.failure(error)) }
      }
    }
  }

  /// Cancels the load. Changes of the cart continue. See ``ProductDetailState``.
  public func cancel() {
    detail.cancel()
    show()
  }

  /// A completion handler for the detail, which calls it on `queue`.
  private func ending(_ completion: LoadCompletion?) -> LoadCompletion {
    { [weak self, callbackQueue] in
      self?.show()
      if let completion { callbackQueue.async(execute: completion) }
    }
  }

  private func showAtOnce() { if state.needsAtOnce(detail.state, cart.state) { show() } }

  /// Shows the children's current states, if they change the page. An observed state can be older.
  private func show() {
    guard state.needs(detail.state, cart.state) else { return }
    // Returned from the update, so that what was read is released after the unlock.
    _ = store.update { page in
      let newest = (detail.state, cart.state)
      page.show(newest.0, newest.1)
      return newest
    }
  }
}
