public import AsyncViewModels
public import StorefrontDomain

/// The state of a list that is loaded page by page, and its rules, for all three stages.
///
/// - `load` requests the first page, unless it is loaded. It joins a load in progress.
/// - `refresh` requests the first page again. The old items stay until the response arrives, and
///   after a failure. A refresh replaces a load in progress, whose callers wait for it.
/// - `loadNextPage` requests the next page and appends it. It joins a load in progress, and does
///   nothing before the first page, at the end, and after a cursor has expired.
/// - `retry` requests the page of the latest failed load again. It joins a load in progress.
/// - `cancel` restores the state from before the load.
///
/// The list shows what the service returned: no intent inserts or removes a single item. After a
/// cursor has expired (``/StorefrontDomain/PageError/expired(_:)``), the list keeps its items and
/// ends. A retry then loads the first page again, in place of the list.
///
/// - Complexity: O(page size) to add a page and O(1) to replace an item if there are no copies of
///   the state, otherwise O(items). Everything else is O(1).
public struct ListState<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  /// The page that is being loaded.
  public private(set) var pendingRequest: PageRequest?

  /// Whether the list follows a feed: from the first request until the feed ends or fails. The next
  /// request follows it again. `cancel` has no effect on it.
  ///
  /// An update replaces an item at its position. An update during a request also changes the
  /// response, which can be older. Refresh the list after the end of its feed, to get later
  /// updates.
  public private(set) var isFollowing = false

  /// The error of the feed: the list can lack later updates. `nil` after the next load of page one.
  public private(set) var feedFailure: (any Error)?

  private let first: PageRequest
  /// The received items. `nil` before the first page.
  private var listing: Listing<Item>?
  /// The latest failure, until a refresh or a retry has succeeded. A cancelled load shows it again.
  private var failure: (request: PageRequest, error: any Error)?

  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int) { first = PageRequest(size: pageSize) }

  /// The items, or why there are none. A refresh shows the old items, also after its failure.
  public var content: ViewState<[Item]> {
    if let listing { return listing.items.isEmpty ? .empty : .loaded(listing.items) }
    if pendingRequest != nil { return .loading }
    return failure.map { .failed($0.error) } ?? .idle
  }

  /// The loaded items. Empty before the first page.
  public var items: [Item] { listing?.items ?? [] }

  /// Whether there is a next page. `false` before the first page, and after a cursor has expired.
  public var hasMore: Bool { listing?.next != nil }

  /// Whether the first page is being loaded again.
  public var isRefreshing: Bool { listing != nil && pendingRequest?.isFirst == true }

  /// Whether a later page is being loaded.
  public var isLoadingNextPage: Bool { pendingRequest?.isFirst == false }

  /// The error of the latest failed load, if it was a refresh. A new refresh hides it.
  public var refreshFailure: (any Error)? {
    guard listing != nil, !isRefreshing, let failure, failure.request.isFirst else { return nil }
    return failure.error
  }

  /// The error of the latest failed load, if it requested a later page. `nil` while a later page is
  /// being loaded, and after that page or a refresh has been loaded.
  public var nextPageFailure: (any Error)? {
    guard !isLoadingNextPage, let failure, !failure.request.isFirst else { return nil }
    return failure.error
  }

  /// Returns the page to request for an intent, if any.
  package func request(for intent: ListIntent) -> PageRequest? {
    switch intent {
    case .load: listing == nil && pendingRequest == nil ? first : nil
    case .refresh: first
    case .loadNextPage: pendingRequest == nil ? listing?.next : nil
    case .retry: pendingRequest == nil ? retried : nil
    }
  }

  /// The request of a retry. After a cursor has expired, the same request would fail again.
  private var retried: PageRequest? { listing?.isExpired == true ? first : failure?.request }

  /// Records that a page is being loaded, in place of the pending request.
  package mutating func begin(_ request: PageRequest) { pendingRequest = request }

  /// Adds the result of the pending request. A page that adds no item and is not the last one fails
  /// the load, and ends the list unless it is being refreshed.
  ///
  /// - Returns: What the result has replaced. Release it after the state is unlocked.
  @discardableResult
  package mutating func receive(_ outcome: TaskOutcome<Page<Item>>) -> Replaced {
    guard let request = pendingRequest else { return Replaced() }
    var replaced = Replaced(failure: failure?.error, feedFailure: feedFailure)
    pendingRequest = nil
    switch outcome {
    case .success(let page):
      if request.isFirst {
        replaced.listing = listing
        show(page, request)
      } else if let appended = listing?.append(page, after: request) {
        replaced.items = appended.replaced
        if let error = appended.error {
          failure = (request, error)
        } else if failure?.request == request {
          failure = nil
        }
      }
    case .failure(let error):
      failure = (request, error)
      if !request.isFirst { listing?.end(after: error) }
    case .cancelled: break
    }
    return replaced
  }

  /// Shows the first page, unless it is empty and not the last one.
  private mutating func show(_ page: Page<Item>, _ request: PageRequest) {
    var newest = listing ?? Listing()
    let error = newest.restart(with: page, after: request)
    if error == nil || listing == nil {
      listing = newest
      // If the feed has failed during the request, the new items can be out of date.
      if isFollowing { feedFailure = nil }
    }
    failure = error.map { (request, $0) }
  }

  package mutating func cancel() { pendingRequest = nil }

  /// What a change has removed. Its `deinit` can run any code, so not under the lock of the state.
  package struct Replaced: Sendable {
    fileprivate var listing: Listing<Item>?
    fileprivate var items: [Item] = []
    fileprivate var failure: (any Error)?
    fileprivate var feedFailure: (any Error)?
  }
}

extension ListState {
  package mutating func beginFollowing() { isFollowing = true }

  /// Records the end of the feed. A cancellation is no failure.
  package mutating func endFollowing(_ outcome: TaskOutcome<Void>) {
    isFollowing = false
    if case .failure(let error) = outcome { feedFailure = error }
  }

  package func shows(_ update: ItemUpdate<Item>) -> Bool { listing?.contains(update.id) ?? false }

  /// Applies an update, if the list shows its item.
  ///
  /// - Returns: What the update has replaced. Release it after the state is unlocked.
  @discardableResult
  package mutating func receive(_ update: ItemUpdate<Item>) -> Replaced {
    Replaced(items: listing?.apply(update).map { [$0] } ?? [])
  }
}
