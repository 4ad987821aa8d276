public import AsyncViewModels
public import StorefrontDomain

/// The state of a list that is loaded page by page, and the rules by which it changes.
///
/// The closure, stream and async view models share this type, and none of them adds a rule. A load has three steps:
/// ``request(for:)`` returns the page that an intent needs, if any. ``begin(_:)`` records that this page is being loaded.
/// ``receive(_:)`` adds the result, or ``cancel()`` restores the state from before the load. At most one page is being loaded at a
/// time.
///
/// The service pages by number or by cursor: the list requests the position that the page before contains, and does not look at its
/// kind. The list shows what the service returned: no intent inserts or removes a single item. A list that follows a feed replaces
/// an item that has changed, at its position.
///
/// If a cursor has expired (``/StorefrontDomain/PageError/expired(_:)``), the list keeps its items and ends, because a request for
/// the next page would always fail. A retry then loads the first page again, in place of the list.
///
/// - Complexity: O(page size) to add a page and O(1) to replace an item if there are no copies of the state, otherwise O(items).
///   Everything else is O(1).
public struct ListState<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  /// The page that is being loaded. `nil` if no load is in progress.
  public private(set) var pendingRequest: PageRequest?

  /// Whether the list follows a feed. `true` from before the first request until the feed ends or fails. `false` for a list
  /// without a feed.
  ///
  /// The next intent that sends a request follows the feed again. The items can have missed changes until then, so refresh the list
  /// if its feed has ended.
  public private(set) var isFollowing = false

  /// The error with which the feed failed, because the list can have missed changes since then. `nil` after the first page has
  /// been loaded again.
  public private(set) var feedFailure: (any Error)?

  private let first: PageRequest
  /// The received items. `nil` before the first page has arrived.
  private var listing: Listing<Item>?
  /// The latest failure. `nil` after a refresh or a retry of the failed page has succeeded. Starting a retry does not clear the
  /// failure, so that the list shows the failure again if the retry is cancelled.
  private var failure: (request: PageRequest, error: any Error)?

  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int) { first = PageRequest(size: pageSize) }

  /// The items, or the reason why there are none. During a refresh and after a failed refresh, these are the old items.
  public var content: ViewState<[Item]> {
    if let listing { return listing.items.isEmpty ? .empty : .loaded(listing.items) }
    if pendingRequest != nil { return .loading }
    return failure.map { .failed($0.error) } ?? .idle
  }

  /// The loaded items. Empty before the first page has arrived.
  public var items: [Item] { listing?.items ?? [] }

  /// Whether there are pages after the loaded pages. `false` before the first page has arrived, and if the cursor of the next page
  /// has expired.
  public var hasMore: Bool { listing?.next != nil }

  /// Whether the first page is being loaded again.
  public var isRefreshing: Bool { listing != nil && pendingRequest?.isFirst == true }

  /// Whether a later page is being loaded.
  public var isLoadingNextPage: Bool { pendingRequest?.isFirst == false }

  /// The error of the latest failed load, if that load requested the first page. `nil` before the first
  /// page has arrived, while the first page is being loaded again, and after a refresh has succeeded.
  public var refreshFailure: (any Error)? {
    guard listing != nil, !isRefreshing, let failure, failure.request.isFirst else { return nil }
    return failure.error
  }

  /// The error of the latest failed load, if that load requested a later page. `nil` while a later page is being loaded, and after
  /// the failed page has been loaded or a refresh has succeeded.
  public var nextPageFailure: (any Error)? {
    guard !isLoadingNextPage, let failure, !failure.request.isFirst else { return nil }
    return failure.error
  }

  /// Returns the page to request for an intent, or `nil` if the intent needs no request.
  package func request(for intent: ListIntent) -> PageRequest? {
    switch intent {
    case .load: listing == nil && pendingRequest == nil ? first : nil
    case .refresh: first
    case .loadNextPage: pendingRequest == nil ? listing?.next : nil
    case .retry: pendingRequest == nil ? retried : nil
    }
  }

  /// The request that a retry sends. After a cursor has expired, the same request would fail again.
  private var retried: PageRequest? { listing?.isExpired == true ? first : failure?.request }

  /// Records that a page is being loaded, and replaces the pending request, if any.
  package mutating func begin(_ request: PageRequest) { pendingRequest = request }

  /// Adds the result of the pending request. A cancellation has the effect of ``cancel()``. If a page adds no item and is not the
  /// last one, the load fails with a ``/StorefrontDomain/PageError``. The list then ends, unless the load was a refresh: a refresh
  /// keeps the old list.
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
      } else if let answer = listing?.append(page, after: request) {
        replaced.items = answer.replaced
        if let error = answer.error {
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

  /// Shows the first page in place of the old list. If the page is empty and not the last one, the old list stays.
  private mutating func show(_ page: Page<Item>, _ request: PageRequest) {
    var newest = listing ?? Listing()
    let error = newest.restart(with: page, after: request)
    if error == nil || listing == nil {
      listing = newest
      // The list follows the feed before it sends a request. If the feed has failed again since then, the new items can be out of date.
      if isFollowing { feedFailure = nil }
    }
    failure = error.map { (request, $0) }
  }

  /// Ends the pending request, and restores the state from before it.
  package mutating func cancel() { pendingRequest = nil }

  /// What a change has removed from the state. The `deinit` of an item or of an error can run any code, so it must not run under the
  /// lock of the state.
  package struct Replaced: Sendable {
    fileprivate var listing: Listing<Item>?
    fileprivate var items: [Item] = []
    fileprivate var failure: (any Error)?
    fileprivate var feedFailure: (any Error)?
  }
}

extension ListState {
  /// Records that the list follows the feed.
  package mutating func beginFollowing() { isFollowing = true }

  /// Records that the feed has ended or failed. A cancellation is not a failure.
  package mutating func endFollowing(_ outcome: TaskOutcome<Void>) {
    isFollowing = false
    if case .failure(let error) = outcome { feedFailure = error }
  }

  /// Whether the list shows the item of an update.
  package func shows(_ update: ItemUpdate<Item>) -> Bool { listing?.contains(update.id) ?? false }

  /// Applies an update to the item that the list shows. Does nothing if the list does not show the item.
  ///
  /// - Returns: What the update has replaced. Release it after the state is unlocked.
  @discardableResult
  package mutating func receive(_ update: ItemUpdate<Item>) -> Replaced {
    Replaced(items: listing?.apply(update).map { [$0] } ?? [])
  }
}
