public import AsyncViewModels
public import StorefrontDomain

/// The view model of a product's page, in the async stage. See ``ProductPageState``.
///
/// - Isolation: The executor of `isolation`. ``add(quantity:)`` runs on the caller's thread.
/// - Ordering: When an intent returns, the state includes its effect.
/// - Cancellation: A change of the cart outlives the page. A cancelled caller of a load returns
///   early. The last caller to leave cancels the load. Releasing the page releases its detail.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor ProductPageViewModel: ViewModelActor {
  public nonisolated let modelState: ModelState<ProductPageState>
  private let liveObject = LiveObjectToken(.viewModel, "ProductPageViewModel")
  private let detail: ProductDetailViewModel
  private let cart: any SharedCart
  private let observations = TaskBag()

  /// Creates a view model with its own detail, and loads nothing.
  ///
  /// - Parameters:
  ///   - itemID: The product.
  ///   - source: Where the user opened the page from.
  ///   - service: Loads the product.
  ///   - feed: Reports prices and stocks. See ``ProductDetailState/following``.
  ///   - cart: The cart that all screens share.
  ///   - updateInterval: See ``ProductPageState``.
  ///   - clock: Measures the update interval.
  public init(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailService<CatalogProduct>,
    feed: (any ProductFeed)? = nil, cart: any SharedCart, updateInterval: Duration = .milliseconds(100),
    clock: any Clock<Duration> = ContinuousClock(), isolation: (any Actor)? = nil
  ) {
    let detail = ProductDetailViewModel(
      itemID: itemID, source: source, service: service, feed: feed, isolation: isolation)
    modelState = ModelState(ProductPageState(detail: detail.state, cart: cart.state), on: isolation ?? detail)
    self.detail = detail
    self.cart = cart
    let details = detail.states().throttled(for: updateInterval, clock: clock)
    observations.insert(details.observe(on: self) { page, _ in page.show() })
    let loads = detail.states(of: \.isLoading)
    observations.insert(loads.observe(on: self) { page, _ in page.showAtOnce() })
    let carts = cart.states(.latest)
    observations.insert(carts.observe(on: self) { page, _ in page.showAtOnce() })
  }

  /// Loads the product. See ``ProductDetailState``.
  public func load() async {
    await detail.load()
    show()
  }

  /// Loads the product again. See ``ProductDetailState``.
  public func refresh() async {
    await detail.refresh()
    show()
  }

  /// Adds units to the cart, and returns after success. See ``ProductPageState``.
  public nonisolated func add(quantity: Int = 1) async throws {
    let product = try state.productToAdd()
    defer { show() }
    try await cart.add(product, quantity: quantity)
  }

  /// Cancels the load. Changes of the cart continue. See ``ProductDetailState``.
  public func cancel() {
    // The detail runs on the same isolation.
    detail.assumeIsolated { $0.cancel() }
    show()
  }

  private func showAtOnce() { if state.needsAtOnce(detail.state, cart.state) { show() } }

  /// Shows the children's current states, if they change the page. An observed state can be older.
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
