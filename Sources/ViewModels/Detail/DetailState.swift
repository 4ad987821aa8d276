public import AsyncViewModels

/// The state of a screen that shows one item, and its rules, for all three stages.
///
/// - `load` requests the item, unless it is loaded. It joins a load in progress, and fails with
///   ``/StorefrontDomain/ServiceError/notFound(_:)`` if there is no such item.
/// - `refresh` requests the item again. The old item stays until the response arrives, and after a
///   failure. A refresh replaces a load in progress, whose callers wait for it.
/// - `cancel` restores the state from before the load.
public struct DetailState<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  /// The identifier of the item, loaded or not.
  public let itemID: Item.ID
  /// The feed of the item. An update during a request also changes the response, which can be
  /// older.
  public package(set) var following = Following()

  /// Where the user opened the screen from.
  public let source: DetailSource

  private var item = Loadable<Item>()

  package init(itemID: Item.ID, source: DetailSource) {
    self.itemID = itemID
    self.source = source
  }

  /// The item, or why there is none; never `.empty`. A refresh shows the old item.
  public var content: ViewState<Item> { item.content }

  /// Whether the item is being loaded, for the first time or again.
  public var isLoading: Bool { item.isLoading }

  /// Whether the item is being loaded again.
  public var isRefreshing: Bool { item.isReloading }

  /// The error of the last completed refresh. `nil` after a success and during a refresh.
  public var refreshFailure: (any Error)? { item.reloadFailure }

  package func needsRequest(for intent: LoadIntent) -> Bool { item.needsRequest(for: intent) }

  package mutating func begin() { item.begin() }

  package mutating func receive(_ outcome: TaskOutcome<Item>) {
    if isLoading, outcome.value != nil { following.receiveLoad() }
    item.receive(outcome)
  }

  package mutating func cancel() { item.cancel() }
}

extension DetailState {
  package func shows(_ update: ItemUpdate<Item>) -> Bool { item.value?.id == update.id }

  /// Applies an update, if the screen shows its item.
  package mutating func receive(_ update: ItemUpdate<Item>) {
    if shows(update) { item.update { $0 = update.applied(to: $0) } }
  }
}

/// Equal states look the same on the screen. Errors are compared by their descriptions.
extension DetailState: Equatable where Item: Equatable {
  public static func == (left: DetailState, right: DetailState) -> Bool {
    left.itemID == right.itemID && left.source == right.source && left.item == right.item
      && left.following == right.following
  }
}

/// Where the user opened the screen of an item from.
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
