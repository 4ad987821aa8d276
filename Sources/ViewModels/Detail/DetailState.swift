public import AsyncViewModels

/// The state of the screen of one item, and the rules by which it changes. All three stages use it, and none adds a rule.
public struct DetailState<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  /// The identifier of the item, whether it is loaded or not.
  public let itemID: Item.ID
  /// The place that opened the screen.
  public let source: DetailSource

  /// Whether the item is being loaded, for the first time or again.
  public private(set) var isLoading = false

  private var item: Item?
  /// The latest failure, until a success. Kept during a retry, so that cancelling the retry restores it.
  private var failure: (any Error)?

  package init(itemID: Item.ID, source: DetailSource) {
    self.itemID = itemID
    self.source = source
  }

  /// The item, or the reason why there is none. During a refresh, and after a failed one, the old item. Never `.empty`: a missing item
  /// is a failure that names it.
  public var content: ViewState<Item> {
    if let item { return .loaded(item) }
    if isLoading { return .loading }
    return failure.map { .failed($0) } ?? .idle
  }

  /// Whether the item is being loaded again.
  public var isRefreshing: Bool { isLoading && item != nil }

  /// The error of the last refresh, until a retry begins.
  public var refreshFailure: (any Error)? { item == nil || isLoading ? nil : failure }

  /// Whether an intent needs a request: a load does not if the item is loaded or being loaded.
  package func needsRequest(for intent: LoadIntent) -> Bool {
    switch intent {
    case .load: item == nil && !isLoading
    case .refresh: true
    }
  }

  /// Records that the item is being loaded, and replaces a load in progress.
  package mutating func begin() { isLoading = true }

  /// Shows the result of the load. A cancellation has the effect of ``cancel()``.
  package mutating func receive(_ outcome: TaskOutcome<Item>) {
    guard isLoading else { return }
    isLoading = false
    switch outcome {
    case .success(let item): (self.item, failure) = (item, nil)
    case .failure(let error): failure = error
    case .cancelled: break
    }
  }

  /// Restores the state before the load.
  package mutating func cancel() { isLoading = false }
}

/// The place that opened the screen of an item.
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
