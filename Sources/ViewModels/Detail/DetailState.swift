public import AsyncViewModels

/// What the screen of one item shows, and the rules by which it changes. All three stages use it; none adds a rule.
public struct DetailState<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  /// The item that the screen is about, whether it is there yet or not.
  public let itemID: Item.ID
  public let source: DetailSource

  /// The item, or why it is not there. Never `.empty`: an item that does not exist is a failure, which names it.
  public private(set) var content = ViewState<Item>.idle

  /// What was shown before the load that is under way: a load that is called off restores it.
  private var former = ViewState<Item>.idle

  package init(itemID: Item.ID, source: DetailSource) {
    self.itemID = itemID
    self.source = source
  }

  /// Whether a load has to request anything: nothing is there, and nothing is on its way. After a failure there is another try.
  public var needsLoading: Bool {
    switch content {
    case .idle, .failed: true
    case .loading, .loaded, .empty: false
    }
  }

  /// Notes that the item has been asked for.
  package mutating func beginLoading() {
    former = content
    content = .loading
  }

  /// Takes in what came of the request. Cancellation is no failure: it leaves the state as ``cancel()`` does.
  package mutating func receive(_ outcome: TaskOutcome<Item>) {
    guard content.isLoading else { return }
    switch outcome {
    case .success(let item): content = .loaded(item)
    case .failure(let error): content = .failed(error)
    case .cancelled: content = former
    }
  }

  /// Goes back to what was there before the item was asked for.
  package mutating func cancel() {
    if content.isLoading { content = former }
  }
}

/// The place that opened the screen of an item.
public enum DetailSource: String, Hashable, Codable, CaseIterable, Sendable {
  case list, search, recommendations, cart, link
}
