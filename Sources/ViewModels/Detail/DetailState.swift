public import AsyncViewModels

/// The state of a screen that shows one item, and the rules by which the state changes. The closure, stream
/// and async view models share this type, and none of them adds a rule.
public struct DetailState<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  /// The identifier of the item, whether it is loaded or not.
  public let itemID: Item.ID
  /// Where the user opened the screen from.
  public let source: DetailSource

  /// Whether the item is being loaded, for the first time or again.
  public private(set) var isLoading = false

  /// Whether the screen follows a feed. `true` from before the first request until the feed ends or fails. `false` for a screen
  /// without a feed.
  ///
  /// The next intent that sends a request follows the feed again.
  public private(set) var isFollowing = false

  /// The error with which the feed failed, because the screen can have missed changes since then. `nil` after the item has been
  /// loaded again.
  public private(set) var feedFailure: (any Error)?

  private var item: Item?
  /// The latest failure. `nil` after a success. Starting a new load does not clear the failure, so that the screen shows the
  /// failure again if the new load is cancelled.
  private var failure: (any Error)?

  package init(itemID: Item.ID, source: DetailSource) {
    self.itemID = itemID
    self.source = source
  }

  /// The item, or the reason why there is none. During a refresh and after a failed refresh, this is the old item. The content is
  /// never `.empty`: if the service has no such item, the content is `.failed` with an error that names the item.
  public var content: ViewState<Item> {
    if let item { return .loaded(item) }
    if isLoading { return .loading }
    return failure.map { .failed($0) } ?? .idle
  }

  /// Whether the item is being loaded again.
  public var isRefreshing: Bool { isLoading && item != nil }

  /// The error of the last refresh that was not cancelled. `nil` if that refresh succeeded, and during a
  /// refresh.
  public var refreshFailure: (any Error)? { item == nil || isLoading ? nil : failure }

  /// Whether an intent needs a request. `.load` needs none if the item is loaded or being loaded. `.refresh` always needs one.
  package func needsRequest(for intent: LoadIntent) -> Bool {
    switch intent {
    case .load: item == nil && !isLoading
    case .refresh: true
    }
  }

  /// Records that the item is being loaded. The view model replaces the request of a load in progress, if any.
  package mutating func begin() { isLoading = true }

  /// Records the result of the load. A cancellation has the effect of ``cancel()``.
  package mutating func receive(_ outcome: TaskOutcome<Item>) {
    guard isLoading else { return }
    isLoading = false
    switch outcome {
    case .success(let item):
      (self.item, failure) = (item, nil)
      // The screen follows the feed before it sends a request. If the feed has failed again since then, the item can be out of date.
      if isFollowing { feedFailure = nil }
    case .failure(let error): failure = error
    case .cancelled: break
    }
  }

  /// Ends the load, and restores the state from before it.
  package mutating func cancel() { isLoading = false }
}

extension DetailState {
  /// Records that the screen follows the feed.
  package mutating func beginFollowing() { isFollowing = true }

  /// Records that the feed has ended or failed. A cancellation is not a failure.
  package mutating func endFollowing(_ outcome: TaskOutcome<Void>) {
    isFollowing = false
    if case .failure(let error) = outcome { feedFailure = error }
  }

  /// Whether the screen shows the item of an update.
  package func shows(_ update: ItemUpdate<Item>) -> Bool { item?.id == update.id }

  /// Applies an update to the item that the screen shows. Does nothing if the screen does not show the item.
  package mutating func receive(_ update: ItemUpdate<Item>) {
    guard let item, item.id == update.id else { return }
    self.item = update.applied(to: item)
  }
}

/// Two states are equal if the screen shows the same for both. Errors are compared by their descriptions.
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
