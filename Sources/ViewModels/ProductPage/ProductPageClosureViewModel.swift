public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of a product's page, in the closure stage: one observer, and two child view models, its detail and the
/// shared cart.
///
/// The page adds the product to the cart, and shows how much of it the cart contains. A change that any other screen makes is shown
/// here, too.
///
/// - Isolation: The private serial `queue` receives the states of the children. The observer and the completion handlers are called on
///   `callbackQueue`.
/// - Ordering: ``cancel()`` takes effect before it returns. All other intents take effect asynchronously. When the completion handler of
///   an intent is called, the state includes its effect. The page never shows an older state of a child after a newer one.
/// - Cancellation: A change of the cart is never cancelled, and finishes even if the page is released. Releasing the page releases its
///   detail, but not the cart.
/// - Hazards: There is one observer, and a new binding replaces it. The cart of the closure stage has one observer, too, so the pages need
///   a ``CartRelay`` of it. Observers and completion handlers keep alive the objects that they capture strongly. ``cancel()`` deadlocks
///   if it is called by a service that is starting a request.
public final class ProductPageClosureViewModel: @unchecked Sendable {
  /// Called once, when the load is over: it has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the result of a change: success, or the reason why the change failed.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let store: CallbackState<ProductPageState>
  private let liveObject = LiveObjectToken(.viewModel, "ProductPageClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let detail: ProductDetailClosureViewModel
  private let cart: any SharedClosureCart
  private var observations: [CancellationToken] = []  // set in the initializer

  /// Creates a view model with its own detail. The initializer loads nothing.
  ///
  /// - Parameters:
  ///   - itemID: The product.
  ///   - source: Where the user opened the page from.
  ///   - service: Loads the product.
  ///   - feed: Reports prices and stocks. The page follows it from the first request on, until the page is released or the feed ends.
  ///   - cart: The cart that all screens share.
  public init(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailClosureService<CatalogProduct>,
    feed: (any ProductClosureFeed)? = nil, cart: any SharedClosureCart, callbackQueue: DispatchQueue = .main
  ) {
    let queue = DispatchQueue(label: "ProductPageClosureViewModel")
    let detail =
      if let feed {
        ProductDetailClosureViewModel(
          itemID: itemID, source: source, service: service, feed: feed, callbackQueue: queue)
      } else {
        ProductDetailClosureViewModel(itemID: itemID, source: source, service: service, callbackQueue: queue)
      }
    store = CallbackState(ProductPageState(detail: detail.state, cart: cart.state))
    self.queue = queue
    self.callbackQueue = callbackQueue
    self.detail = detail
    self.cart = cart
    observations = [
      detail.bind { [weak self] _ in self?.show() },
      cart.observe(on: queue) { [weak self] _ in self?.show() },
    ]
  }

  // The last reference can be released on the queue, and the cart's cancellation handler may wait for the queue.
  deinit { for observation in observations { observation.cancelOnGlobalQueue() } }

  /// The current state. An intent that takes effect asynchronously may not be included yet.
  public var state: ProductPageState { store.value }

  /// Sets the observer, in place of the previous one. The observer receives the current state and then every later state, on
  /// `callbackQueue`.
  ///
  /// - Returns: A token that removes the observer when the token is cancelled or released.
  public func bind(_ observer: @escaping @Sendable (ProductPageState) -> Void) -> CancellationToken {
    store.bind(on: callbackQueue, observer)
  }

  /// Loads the product, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  ///
  /// If there is no such product, the load fails with ``/StorefrontDomain/ServiceError/notFound(_:)``, which names the product.
  ///
  /// `completion` is called once, when the load is over, or right away if there is nothing to wait for.
  public func load(completion: LoadCompletion? = nil) { detail.load(completion: ending(completion)) }

  /// Loads the product again, and replaces a load that is in progress. The old product stays until the answer arrives. After a
  /// failure, the state contains the old product and the error.
  public func refresh(completion: LoadCompletion? = nil) { detail.refresh(completion: ending(completion)) }

  /// Adds units of the product to the cart, with the price that the page shows. The cart and all its screens show them without waiting
  /// for the service. `completion` is called once, when the change has succeeded or failed.
  ///
  /// The change fails with ``ProductPageError/notLoaded(_:)`` if the page does not show the product. Otherwise, the error is that of the
  /// cart, as ``CartClosureViewModel/add(_:quantity:completion:)`` describes it.
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

  /// Cancels the load in progress, if any, and restores the state from before the load. Changes of the cart continue.
  public func cancel() {
    detail.cancel()
    show()
  }

  /// Returns a completion handler for the detail, which calls it on `queue`.
  private func ending(_ completion: LoadCompletion?) -> LoadCompletion {
    { [weak self, callbackQueue] in
      self?.show()
      if let completion { callbackQueue.async(execute: completion) }
    }
  }

  /// Shows the states that the children have now, if the page looks different with them. They can be newer than the observed one, so
  /// that an observed state cannot replace a newer one.
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
