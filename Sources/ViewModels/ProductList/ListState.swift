public import AsyncViewModels
public import StorefrontDomain

/// The state of a list that is loaded page by page, and the rules by which it changes.
///
/// All three stages use it, and none adds a rule. A load has three steps: ``request(for:)`` returns the page that an intent needs,
/// if any. ``begin(_:)`` records that it is being loaded. ``receive(_:)`` adds the result, or ``cancel()`` restores the state before
/// it. At most one page is being loaded at a time.
///
/// Pages are identified by their number; a service that uses cursors maps them itself. The list shows what the service returned:
/// no intent inserts or removes a single item.
///
/// - Complexity: O(page size) to add a page if no one else holds a copy of the state. Everything else is O(1).
public struct ListState<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  /// The page that is being loaded.
  public private(set) var pendingRequest: PageRequest?

  private let first: PageRequest
  /// The received items. `nil` before the first page.
  private var listing: Listing<Item>?
  /// The latest failure, until a success. Kept during a retry, so that cancelling the retry restores it.
  private var failure: (request: PageRequest, error: any Error)?

  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int) { first = PageRequest(index: 0, size: pageSize) }

  /// The items, or the reason why there are none. During a refresh, and after a failed one, the old items.
  public var content: ViewState<[Item]> {
    if let listing { return listing.items.isEmpty ? .empty : .loaded(listing.items) }
    if pendingRequest != nil { return .loading }
    return failure.map { .failed($0.error) } ?? .idle
  }

  /// The loaded items. Empty before the first page.
  public var items: [Item] { listing?.items ?? [] }

  /// Whether there are pages after the loaded ones. False before the first page.
  public var hasMore: Bool { listing?.next != nil }

  /// Whether the first page is being loaded again.
  public var isRefreshing: Bool { listing != nil && pendingRequest?.isFirst == true }

  /// Whether a later page is being loaded.
  public var isLoadingNextPage: Bool { pendingRequest?.isFirst == false }

  /// The error of the last refresh, until a retry begins.
  public var refreshFailure: (any Error)? {
    guard listing != nil, !isRefreshing, let failure, failure.request.isFirst else { return nil }
    return failure.error
  }

  /// The error of the last attempt to load the next page, until a retry begins.
  public var nextPageFailure: (any Error)? {
    guard !isLoadingNextPage, let failure, !failure.request.isFirst else { return nil }
    return failure.error
  }

  /// Returns the page to request for an intent, or `nil` if there is nothing to do.
  package func request(for intent: ListIntent) -> PageRequest? {
    switch intent {
    case .load: listing == nil && pendingRequest == nil ? first : nil
    case .refresh: first
    case .loadNextPage: pendingRequest == nil ? listing?.next : nil
    case .retry: pendingRequest == nil ? failure?.request : nil
    }
  }

  /// Records that a page is being loaded, in place of the page before it.
  package mutating func begin(_ request: PageRequest) { pendingRequest = request }

  /// Adds the result of the pending request. A cancellation has the effect of ``cancel()``.
  package mutating func receive(_ outcome: TaskOutcome<Page<Item>>) {
    guard let request = pendingRequest else { return }
    pendingRequest = nil
    switch outcome {
    case .success(let page):
      if request.isFirst { listing = Listing() }
      listing?.append(page, next: page.isLast ? nil : request.next)
      if request.isFirst || failure?.request == request { failure = nil }
    case .failure(let error): failure = (request, error)
    case .cancelled: break
    }
  }

  /// Restores the state before the pending request.
  package mutating func cancel() { pendingRequest = nil }
}

/// An intent of a list.
package enum ListIntent: Sendable, CaseIterable {
  case load, refresh, loadNextPage, retry
}

extension PageRequest {
  fileprivate var isFirst: Bool { index == 0 }
}

/// The items of the pages that have been read so far, in the order of the service, and the next page.
struct Listing<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  private(set) var items: [Item] = []
  private(set) var next: PageRequest?
  /// The index of each item. If a server's list shifts between two requests, two pages contain the same item.
  private var positions: [Item.ID: Int] = [:]

  init(next: PageRequest? = nil) { self.next = next }

  /// Adds a page. An item that is already listed is replaced in its place.
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
