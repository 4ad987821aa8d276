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

  /// Whether the item is being loaded, for the first time or again.
  public private(set) var isLoading = false

  /// Whether the screen follows a feed: from the first request until the feed ends or fails. The
  /// next request follows it again. `cancel` has no effect on it. An update during a request also
  /// changes the response, which can be older.
  public private(set) var isFollowing = false

  /// The error of the feed: the screen can lack later updates. `nil` after the next load.
  public private(set) var feedFailure: (any Error)?

  private var item: Item?
  /// The latest failure, until a success. A cancelled load shows it again.
  private var failure: (any Error)?

  package init(itemID: Item.ID, source: DetailSource) {
    self.itemID = itemID
    self.source = source
  }

  /// The item, or why there is none; never `.empty`. A refresh shows the old item.
  public var content: ViewState<Item> {
    if let item { return .loaded(item) }
    if isLoading { return .loading }
    return failure.map { .failed($0) } ?? .idle
  }

  /// Whether the item is being loaded again.
  public var isRefreshing: Bool { isLoading && item != nil }

  /// The error of the last completed refresh. `nil` after a success and during a refresh.
  public var refreshFailure: (any Error)? { item == nil || isLoading ? nil : failure }

  package func needsRequest(for intent: LoadIntent) -> Bool {
    switch intent {
    case .load: item == nil && !isLoading
    case .refresh: true
    }
  }

  /// Records that the item is being loaded, in place of the load in progress.
  package mutating func begin() { isLoading = true }

  package mutating func receive(_ outcome: TaskOutcome<Item>) {
    guard isLoading else { return }
    isLoading = false
    switch outcome {
    case .success(let item):
      (self.item, failure) = (item, nil)
      // If the feed has failed during the request, the item can be out of date.
      if isFollowing { feedFailure = nil }
    case .failure(let error): failure = error
    case .cancelled: break
    }
  }

  package mutating func cancel() { isLoading = false }
}

extension DetailState {
  package mutating func beginFollowing() { isFollowing = true }

  /// Records the end of the feed. A cancellation is no failure.
  package mutating func endFollowing(_ outcome: TaskOutcome<Void>) {
    isFollowing = false
    if case .failure(let error) = outcome { feedFailure = error }
  }

  package func shows(_ update: ItemUpdate<Item>) -> Bool { item?.id == update.id }

  /// Applies an update, if the screen shows its item.
  package mutating func receive(_ update: ItemUpdate<Item>) {
    guard let item, item.id == update.id else { return }
    self.item = update.applied(to: item)
  }
}

/// Equal states look the same on the screen. Errors are compared by their descriptions.
extension DetailState: Equatable where Item: Equatable {
  public static func == (left: DetailState, right: DetailState) -> Bool {
    left.itemID == right.itemID && left.source == right.source && left.item == right.item
      && left.isLoading == right.isLoading && left.isFollowing == right.isFollowing
      && description(of: left.failure) == description(of: right.failure)
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
