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
  /// Where the user opened the screen from.
  public let source: DetailSource

  /// Whether the screen follows a feed: from the first request until the feed ends or fails. The
  /// next request follows it again. `cancel` has no effect on it. An update during a request also
  /// changes the response, which can be older.
  public private(set) var isFollowing = false

  /// The error of the feed: the screen can lack later updates. `nil` after the next load.
  public private(set) var feedFailure: (any Error)?

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
    // If the feed has failed during the request, the item can be out of date.
    if isLoading, isFollowing, case .success = outcome { feedFailure = nil }
    item.receive(outcome)
  }

  package mutating func cancel() { item.cancel() }
}

extension DetailState {
  package mutating func beginFollowing() { isFollowing = true }

  /// Records the end of the feed. A cancellation is no failure.
  package mutating func endFollowing(_ outcome: TaskOutcome<Void>) {
    isFollowing = false
    if case .failure(let error) = outcome { feedFailure = error }
  }

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
      && left.isFollowing == right.isFollowing
      && description(of: left.feedFailure) == description(of: right.feedFailure)
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
