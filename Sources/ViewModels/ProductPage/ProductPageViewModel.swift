public import AsyncViewModels
public import StorefrontDomain

/// The view model of a product's page, in the async stage: an actor with two child view models, its detail and the shared cart.
///
/// The page adds the product to the cart, and shows how much of it the cart contains. A change that any other screen makes is shown
/// here, too.
///
/// - Isolation: The page and its detail run on the executor of the host, the actor that is passed as `isolation`. ``add(quantity:)`` is
///   nonisolated: it calls the cart on the caller's thread, before it first suspends. Use `state` and `states()` from any thread.
/// - Ordering: When an intent returns, the state includes its effect. The page never shows an older state of a child after a newer one.
/// - Cancellation: A cancelled caller of a load returns without waiting for the service. If no other caller waits for the load, the
///   load is cancelled. A change of the cart is never cancelled, and finishes even if the page is released. Releasing the page releases
///   its detail, but not the cart.
/// - Hazards: None of the hazards of the closure and stream stages: any number of pages observe one cart, and no call waits for a queue.
public actor ProductPageViewModel: ViewModelActor {
  public nonisolated let hosted: HostedState<ProductPageState>
  private let liveObject = LiveObjectToken(.viewModel, "ProductPageViewModel")
  private let detail: ProductDetailViewModel
  private let cart: any SharedCart
  private let observations = TaskBag()

  /// Creates a view model with its own detail. The initializer loads nothing.
  ///
  /// - Parameters:
  ///   - itemID: The product.
  ///   - source: Where the user opened the page from.
  ///   - service: Loads the product.
  ///   - feed: Reports prices and stocks. The page follows it from the first request on, until the page is released or the feed ends.
  ///   - cart: The cart that all screens share.
  public init(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailService<CatalogProduct>,
    feed: (any ProductFeed)? = nil, cart: any SharedCart, isolation: (any Actor)? = nil
  ) {
    let detail =
      if let feed {
        ProductDetailViewModel(
          itemID: itemID, source: source, service: service, feed: feed, isolation: isolation)
      } else {
        ProductDetailViewModel(itemID: itemID, source: source, service: service, isolation: isolation)
      }
    hosted = HostedState(ProductPageState(detail: detail.state, cart: cart.state), on: isolation ?? detail)
    self.detail = detail
    self.cart = cart
    observations.insert(detail.states().observe(on: self) { page, _ in page.show() })
    observations.insert(cart.states(.latest).observe(on: self) { page, _ in page.show() })
  }

  /// Loads the product, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  ///
  /// If there is no such product, the load fails with ``/StorefrontDomain/ServiceError/notFound(_:)``, which names the product.
  public func load() async {
    await detail.load()
    show()
  }

  /// Loads the product again, and replaces a load that is in progress. The old product stays until the answer arrives. After a
  /// failure, the state contains the old product and the error.
  public func refresh() async {
    await detail.refresh()
    show()
  }

  /// Adds units of the product to the cart, with the price that the page shows. The cart and all its screens show them without waiting
  /// for the service. The call returns when the change has succeeded.
  ///
  /// - Throws: ``ProductPageError/notLoaded(_:)`` if the page does not show the product. Otherwise the error of the cart, as
  ///   ``CartViewModel/add(_:quantity:)`` describes it.
  public nonisolated func add(quantity: Int = 1) async throws {
    let product = try state.productToAdd()
    defer { show() }
    try await cart.add(product, quantity: quantity)
  }

  /// Cancels the load in progress, if any, and restores the state from before the load. Changes of the cart continue.
  public func cancel() {
    // The detail runs on the same host.
    detail.assumeIsolated { $0.cancel() }
    show()
  }

  /// Shows the states that the children have now, if the page looks different with them. They can be newer than the observed one, so
  /// that an observed state cannot replace a newer one.
  private nonisolated func show() {
    guard state.needs(detail.state, cart.state) else { return }
    // Returned from the update, so that what was read is released after the unlock.
    _ = store.update { page in
      let newest = (detail.state, cart.state)
      page.show(newest.0, newest.1)
      return newest
    }
  }
}
