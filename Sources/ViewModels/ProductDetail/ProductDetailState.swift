public import AsyncViewModels
public import StorefrontDomain

/// The state of a screen that shows one product, and its rules, for all three stages.
///
/// - `load` requests the product, unless it is loaded. It joins a load in progress, and fails with
///   ``/StorefrontDomain/ServiceError/notFound(_:)`` if it does not exist.
/// - `refresh` requests the product again. The old one stays until the response arrives, and after
///   a failure. A refresh replaces a load in progress, whose callers wait for it.
/// - `cancel` restores the state from before the load.
///
/// Equal states look the same on the screen. Errors are compared by their descriptions.
public struct ProductDetailState: Sendable, Equatable {
  /// The identifier of the product, loaded or not.
  public let itemID: CatalogProduct.ID
  /// The feed of the product. An update during a request also changes the response, which can be
  /// older.
  public package(set) var following = Following()

  /// Where the user opened the screen from.
  public let source: DetailSource

  private var product = Loadable<CatalogProduct>()

  package init(itemID: CatalogProduct.ID, source: DetailSource) {
    self.itemID = itemID
    self.source = source
  }

  /// The product, or why there is none; never `.empty`. A refresh shows the old one.
  public var content: ViewState<CatalogProduct> { product.content }

  /// Whether the product is being loaded, for the first time or again.
  public var isLoading: Bool { product.isLoading }

  /// Whether the product is being loaded again.
  public var isRefreshing: Bool { product.isReloading }

  /// The error of the last completed refresh. `nil` after a success and during a refresh.
  public var refreshFailure: (any Error)? { product.reloadFailure }

  package func needsRequest(for intent: LoadIntent) -> Bool { product.needsRequest(for: intent) }

  package mutating func begin() { product.begin() }

  package mutating func receive(_ outcome: TaskOutcome<CatalogProduct>) {
    if isLoading, outcome.value != nil { following.receiveLoad() }
    product.receive(outcome)
  }

  package mutating func cancel() { product.cancel() }

  package func shows(_ update: ProductUpdate) -> Bool { product.value?.id == update.product }

  /// Applies an update, if the screen shows its product.
  package mutating func receive(_ update: ProductUpdate) {
    if shows(update) { product.update { $0 = $0.applying(update) } }
  }
}

/// Where the user opened the screen of a product from.
public enum DetailSource: String, Hashable, Codable, CaseIterable, Sendable {
  /// A list of products.
  case list
  /// The results of a search.
  case search
  /// The recommendations on the dashboard.
  case recommendations
  /// The cart.
  case cart
  /// A deep link.
  case link
}
