public import AsyncViewModels
public import StorefrontDomain

/// What a paged list's screen shows, and the rules by which it changes. All three stages use it; none adds a rule.
///
/// A load goes in three steps: ``request(for:)`` says which page an intent asks for, if any; ``begin(_:)`` notes that it is on its
/// way; ``receive(_:)`` takes in what came of it, or ``cancel()`` calls it off. At most one page is on its way at a time.
///
/// Pages are asked for by their number; a service that hands out cursors keeps them itself. What it says is what is listed: there is
/// no intent that inserts or removes a single item.
///
/// Cost: O(size of the page) where a page is taken in and nobody else holds the state; who does hold it shares the items until
/// then. Everything else is O(1).
public struct ListState<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  /// The page that is on its way.
  public private(set) var underWay: PageRequest?

  private let first: PageRequest
  /// What has been received; nil before the first page.
  private var listing: Listing<Item>?
  /// The latest failure that no success has made up for. Kept while it is being retried: a retry that is called off restores it.
  private var failure: (request: PageRequest, error: any Error)?

  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int) { first = PageRequest(index: 0, size: pageSize) }

  /// The items that are there, or why there are none. While it is refreshed, and where that fails, the old ones.
  public var content: ViewState<[Item]> {
    if let listing { return listing.items.isEmpty ? .empty : .loaded(listing.items) }
    if underWay != nil { return .loading }
    return failure.map { .failed($0.error) } ?? .idle
  }

  /// The items that are there; none before the first page.
  public var items: [Item] { listing?.items ?? [] }

  /// Whether there are pages after those that are there. Before the first page nobody knows, and this is false.
  public var hasMore: Bool { listing?.next != nil }

  /// Whether the first page is on its way again, behind the old content.
  public var isRefreshing: Bool { listing != nil && underWay?.isFirst == true }

  public var isLoadingNextPage: Bool { underWay?.isFirst == false }

  /// Why the content could not be refreshed, until it has been, or while it is tried again.
  public var refreshFailure: (any Error)? {
    guard listing != nil, !isRefreshing, let failure, failure.request.isFirst else { return nil }
    return failure.error
  }

  /// Why the next page is missing, until it is there, or while it is tried again.
  public var nextPageFailure: (any Error)? {
    guard !isLoadingNextPage, let failure, !failure.request.isFirst else { return nil }
    return failure.error
  }

  /// The page that has to be requested for an intent, or nil where there is nothing to do.
  package func request(for intent: ListIntent) -> PageRequest? {
    switch intent {
    case .load: listing == nil && underWay == nil ? first : nil
    case .refresh: first
    case .loadNextPage: underWay == nil ? listing?.next : nil
    case .retry: underWay == nil ? failure?.request : nil
    }
  }

  /// Notes that a page is on its way, in place of the one before it.
  package mutating func begin(_ request: PageRequest) { underWay = request }

  /// Takes in what came of the page that was on its way. Cancellation is no failure: it leaves the state as ``cancel()`` does.
  package mutating func receive(_ outcome: TaskOutcome<Page<Item>>) {
    guard let request = underWay else { return }
    underWay = nil
    switch outcome {
    case .success(let page):
      if request.isFirst { listing = Listing() }
      listing?.append(page, next: page.isLast ? nil : request.next)
      if request.isFirst || failure?.request == request { failure = nil }
    case .failure(let error): failure = (request, error)
    case .cancelled: break
    }
  }

  /// Goes back to what was there before the page was requested.
  package mutating func cancel() { underWay = nil }
}

/// What somebody wants of a list.
package enum ListIntent: Sendable, CaseIterable {
  case load, refresh, loadNextPage, retry
}

extension PageRequest {
  fileprivate var isFirst: Bool { index == 0 }
}

/// The items of the pages that have been read so far, in the order of the service, and where reading goes on.
struct Listing<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  private(set) var items: [Item] = []
  private(set) var next: PageRequest?
  /// Where each item stands: a server's list that shifts between two pages shows an item twice.
  private var positions: [Item.ID: Int] = [:]

  init(next: PageRequest? = nil) { self.next = next }

  /// Takes in a page. An item that is there already is replaced in its place.
  ///
  /// - Complexity: O(size of the page) if the listing has no other copy.
  mutating func append(_ page: Page<Item>, next: PageRequest?) {
    self.next = next
    for item in page.items {
      if let position = positions[item.id] {
        items[position] = item
      } else {
        positions[item.id] = items.count
        items.append(item)
      }
    }
  }
}
