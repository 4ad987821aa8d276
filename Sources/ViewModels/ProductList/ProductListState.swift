public import AsyncViewModels
public import StorefrontDomain

/// The state of the product list, which loads page by page, and its rules, for all three stages.
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
/// - Complexity: That of `PagedItems`.
public struct ProductListState: PagedState {
  /// The feed of the list. An update replaces an item at its position. An update during a request
  /// also changes the response, which can be older. Refresh the list after the end of its feed, to
  /// get later updates.
  public package(set) var following = Following()

  private var pages: PagedItems<CatalogProduct, PageRequest>

  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int) { pages = PagedItems(pageSize: pageSize) }

  /// The items, or why there are none. A refresh shows the old items, also after its failure.
  public var content: ViewState<[CatalogProduct]> { pages.content }

  /// The loaded items. Empty before the first page.
  public var items: [CatalogProduct] { pages.items }

  /// The page that is being loaded.
  public var pendingRequest: PageRequest? { pages.pendingRequest }

  /// Whether there is a next page. `false` before the first page, and after a cursor has expired.
  public var hasMore: Bool { pages.hasMore }

  /// Whether the first page is being loaded again.
  public var isRefreshing: Bool { pages.isReloading }

  /// Whether a later page is being loaded.
  public var isLoadingNextPage: Bool { pages.isLoadingNextPage }

  /// The error of the last completed refresh. A new refresh hides it.
  public var refreshFailure: (any Error)? { pages.reloadFailure }

  /// The error of the last load of a later page. `nil` while a later page is being loaded, and
  /// after that page or a refresh has been loaded.
  public var nextPageFailure: (any Error)? { pages.nextPageFailure }

  /// Returns the page to request for an intent, if any.
  package func request(for intent: PageIntent) -> PageRequest? { pages.request(for: intent) }

  /// Records that a page is being loaded, in place of the pending request.
  package mutating func begin(_ request: PageRequest) { pages.begin(request) }

  /// Adds the result of the pending request.
  package mutating func receive(_ outcome: TaskOutcome<Page<CatalogProduct>>) {
    let isFirst = pendingRequest?.isFirst == true
    pages.receivePage(outcome)
    if isFirst, outcome.value != nil, pages.failure == nil { following.receiveLoad() }
  }

  package mutating func cancel() { pages.cancel() }
}

extension ProductListState {
  package func shows(_ update: ProductUpdate) -> Bool { pages.contains(update.product) }

  /// Applies an update, if the list shows its item.
  package mutating func receive(_ update: ProductUpdate) {
    pages.update(update.product) { $0 = $0.applying(update) }
  }
}
