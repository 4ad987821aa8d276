public import AsyncViewModels
public import StorefrontDomain

/// The state of a search screen, and the rules by which it changes. The closure, stream and async view models share this type, and
/// none of them adds a rule.
///
/// The hits on the screen always belong to one query, in the order of the service. A hit that is on two pages is shown once: its
/// newer version takes the place of the older one. At most one request is in flight. A search takes precedence over the load of a
/// next page, and cancels it.
///
/// - Complexity: O(page size) to add a page if there are no copies of the state, otherwise O(hits). Everything else is O(1), except
///   the length of the query.
public struct SearchState<Hit: Sendable & Identifiable>: Sendable where Hit.ID: Sendable {
  /// The text as the user typed it.
  public private(set) var query = ""

  private let first: PageRequest
  /// The request that is in flight, or that waits for a pause in the typing.
  private var current: SearchRequest?
  /// The received hits of `answeredText`. `nil` before the first answer and after a failed search.
  private var listing: Listing<Hit>?
  /// The query of the last search that was answered or has failed.
  private var answeredText: String?
  /// The latest failure. `nil` after a later search or a retry of the failed page has succeeded. Starting a request does not clear
  /// the failure, so that the screen shows the failure again if the request is cancelled.
  private var failure: (page: PageRequest, error: any Error)?
  /// The number of the last step that started or cancelled a request.
  private var lastNumber = 0

  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int = 50) { first = PageRequest(size: pageSize) }

  /// Whether a search is in progress or waits for a pause in the typing. `false` while only a next page is being loaded.
  public var isSearching: Bool { current?.page.isFirst == true }

  /// Whether the next page of the hits is being loaded.
  public var isLoadingNextPage: Bool { current?.page.isFirst == false }

  /// Whether there are more hits than those on the screen. `false` if there are no hits, and if the cursor of the next page has
  /// expired.
  public var hasMore: Bool { listing?.next != nil }

  /// The content of the screen: the hits of all received pages. During a search, the hits of the last answer stay. If the last
  /// answer has no hits, the content is `.loading` during a search. The failure of a search replaces the hits. The failure of a
  /// next page does not.
  public var results: ViewState<[Hit]> {
    if let listing, !listing.items.isEmpty { return .loaded(listing.items) }
    if isSearching { return .loading }
    if listing != nil { return .empty }
    return failure.map { .failed($0.error) } ?? .idle
  }

  /// The error of the latest failed load, if that load requested a next page of the hits on the screen. `nil` while a next page is
  /// being loaded.
  public var nextPageFailure: (any Error)? {
    guard !isLoadingNextPage, let failure, !failure.page.isFirst else { return nil }
    return failure.error
  }

  /// Replaces the query, and returns the next step of the view model. Whitespace around the query is ignored. An empty query
  /// cancels the search and clears the answer. A query that is being searched for, or that was answered last without a failure,
  /// needs no new request. If the next page of this query is being loaded, that continues.
  package mutating func setQuery(_ query: String) -> SearchStep {
    self.query = query
    let text = query.trimmingWhitespace
    if text.isEmpty {
      (listing, failure, answeredText) = (nil, nil, nil)
    } else if let current, current.query == text {
      return .none
    } else if answeredText != text || listing == nil {
      return request(first, of: text)
    }
    return cancel()
  }

  /// Searches for the current query, even if the query was answered before or its request is in flight. An empty query is not
  /// searched for.
  package mutating func submit() -> SearchStep {
    let text = query.trimmingWhitespace
    return text.isEmpty ? .none : request(first, of: text)
  }

  /// Requests the next page of the hits on the screen. During a search and at the end of the hits, there is nothing to request.
  package mutating func loadNextPage() -> SearchStep {
    if let current, !current.page.isFirst { return .join(current) }
    guard current == nil, let answeredText, let next = listing?.next else { return .none }
    return request(next, of: answeredText)
  }

  /// Requests what has failed: the search, or the next page of the hits on the screen. If the cursor of that page has expired,
  /// searches again, in place of the hits.
  package mutating func retry() -> SearchStep {
    if let current, !current.page.isFirst { return .join(current) }
    guard current == nil, let answeredText, let failure else { return .none }
    return request(listing?.isExpired == true ? first : failure.page, of: answeredText)
  }

  /// Cancels the request, if any, and restores the last answer. From now on, a request with a lower number must not start.
  package mutating func cancel() -> SearchStep {
    guard current != nil else { return .none }
    current = nil
    lastNumber += 1
    return .cancel(lastNumber)
  }

  /// Returns the step of an intent that changes neither the screen nor a request. Returns `nil` for every other intent.
  ///
  /// An intent changes the answer only together with the query or with a request, so it is enough to compare these.
  package func step(ifUnchangedBy intent: (inout SearchState) -> SearchStep) -> SearchStep? {
    var next = self
    let step = intent(&next)
    return next.query == query && next.lastNumber == lastNumber ? step : nil
  }

  /// Records the answer to the current request. Ignores the answer to any other request. After a cancellation, the last answer
  /// stays. If a page adds no hit and is not the last one, the request fails with a ``/StorefrontDomain/PageError``, and the hits
  /// end.
  package mutating func receive(_ outcome: TaskOutcome<Page<Hit>>, for request: SearchRequest) {
    guard request == current else { return }
    current = nil
    switch outcome {
    case .cancelled: break
    case .failure(let error): fail(request, error)
    case .success(let page) where request.page.isFirst:
      var newest = listing ?? Listing()
      if let error = newest.restart(with: page, after: request.page) { return fail(request, error) }
      (listing, failure, answeredText) = (newest, nil, request.query)
    case .success(let page):
      failure = listing?.append(page, after: request.page).error.map { (request.page, $0) }
    }
  }

  private mutating func fail(_ request: SearchRequest, _ error: any Error) {
    failure = (request.page, error)
    answeredText = request.query
    if request.page.isFirst { listing = nil } else { listing?.end(after: error) }
  }

  private mutating func request(_ page: PageRequest, of text: String) -> SearchStep {
    lastNumber += 1
    let request = SearchRequest(number: lastNumber, query: text, page: page)
    current = request
    return .search(request)
  }
}

/// One request to the service. Two searches for the same text are two requests.
package struct SearchRequest: Hashable, Sendable {
  /// The number of the step that created the request. A later step has a higher number.
  package let number: Int
  package let query: String
  package let page: PageRequest
}

/// The next step of the view model after an intent.
package enum SearchStep: Hashable, Sendable {
  case none
  /// Wait for this request, which is in flight or about to be sent.
  case join(SearchRequest)
  /// Cancel all requests with a lower number.
  case cancel(Int)
  /// Send this request in place of the request in flight, if any.
  case search(SearchRequest)
}

/// The view model of the storefront's search.
public typealias ProductSearchViewModel = SearchViewModel<SearchHit>
/// The view model of the storefront's search, in the stream stage.
public typealias ProductSearchStreamViewModel = SearchStreamViewModel<SearchHit>
/// The view model of the storefront's search, in the closure stage.
public typealias ProductSearchClosureViewModel = SearchClosureViewModel<SearchHit>
