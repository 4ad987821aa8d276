public import AsyncViewModels
public import StorefrontDomain

/// The state of a search screen, and its rules, for all three stages.
///
/// - `setQuery` searches for a query after a pause in the typing. An empty query clears the hits.
///   The query of the hits keeps them, and the load of their next page. The query of the search in
///   progress changes nothing. Any other query is searched for.
/// - `submit` searches for the current query without a pause, unless it is empty.
/// - `loadNextPage` requests the next page of the hits and appends it. It joins a load of the next
///   page, and does nothing during a search, without hits, at their end, and after a cursor has
///   expired.
/// - `retry` requests the search or the page that has failed, without a pause. After a cursor has
///   expired, it searches again, in place of the hits. It joins a load of the next page, and does
///   nothing during a search.
/// - `cancel` ends the request. The last response stays.
///
/// The latest query wins: a search cancels the request in flight, whose response is never shown,
/// and whose callers wait for the new search. The hits belong to one query, in the order of the
/// service. A hit that is on two pages is shown once, as the newer version.
///
/// - Complexity: O(page size) to add a page if there are no copies of the state, otherwise O(hits).
///   Everything else is O(1), except the length of the query.
public struct SearchState<Hit: Sendable & Identifiable>: Sendable where Hit.ID: Sendable {
  /// The text as the user typed it.
  public private(set) var query = ""

  /// The hits of `answeredText`, and the request that is in flight or waits for a pause.
  private var hits: PagedItems<Hit, PageRequest>
  private var current: SearchRequest?
  /// The query of the last search that was answered or has failed.
  private var answeredText: String?
  /// The number of the last step that started or cancelled a request.
  private var lastNumber = 0

  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int = 50) { hits = PagedItems(pageSize: pageSize) }

  /// Whether a search is in progress or waits for a pause in the typing.
  public var isSearching: Bool { current?.page.isFirst == true }

  /// Whether the next page of the hits is being loaded.
  public var isLoadingNextPage: Bool { hits.isLoadingNextPage }

  /// Whether there is a next page. `false` without hits, and after a cursor has expired.
  public var hasMore: Bool { hits.hasMore }

  /// The hits of all received pages, or why there are none. The old hits stay during a search. The
  /// failure of a search replaces them.
  public var results: ViewState<[Hit]> { isSearching && hits.items.isEmpty ? .loading : hits.content }

  /// The error of the latest failed load, if it requested a next page. `nil` during a new load.
  public var nextPageFailure: (any Error)? { hits.nextPageFailure }

  /// Replaces the query, and returns the next step. Whitespace around the query is ignored.
  package mutating func setQuery(_ query: String) -> SearchStep {
    self.query = query
    let text = query.trimmingWhitespace
    if text.isEmpty {
      hits.reset()
    } else if let current, current.query == text {
      return .none
    } else if answeredText != text || !hits.isLoaded {
      return request(.reload, of: text)
    }
    return cancel()
  }

  /// Searches for the current query, unless it is empty.
  package mutating func submit() -> SearchStep {
    let text = query.trimmingWhitespace
    return text.isEmpty ? .none : request(.reload, of: text)
  }

  /// Requests the next page of the hits, if there is one and no search is in progress.
  package mutating func loadNextPage() -> SearchStep { request(.loadNextPage) }

  /// Requests what has failed, if anything has.
  package mutating func retry() -> SearchStep { request(.retry) }

  /// Cancels the request, if any. From now on, a request with a lower number must not start.
  package mutating func cancel() -> SearchStep {
    guard current != nil else { return .none }
    current = nil
    hits.cancel()
    lastNumber += 1
    return .cancel(lastNumber)
  }

  /// Returns the step of an intent that changes neither the screen nor a request, and otherwise
  /// `nil`. Compares only the query and the number, because an intent changes nothing else alone.
  package func step(ifUnchangedBy intent: (inout SearchState) -> SearchStep) -> SearchStep? {
    var next = self
    let step = intent(&next)
    return next.query == query && next.lastNumber == lastNumber ? step : nil
  }

  /// Records the response to the current request, and ignores all others. A page that adds no hit
  /// and is not the last one is a failure, and ends the hits.
  package mutating func receive(_ outcome: TaskOutcome<Page<Hit>>, for request: SearchRequest) {
    guard request == current else { return }
    current = nil
    hits.receivePage(outcome)
    if case .cancelled = outcome { return }
    answeredText = request.query
    if request.page.isFirst, let error = hits.reloadFailure {
      hits.reset()
      hits.begin(request.page)
      hits.receivePage(.failure(error))
    }
  }

  private mutating func request(_ intent: PageIntent) -> SearchStep {
    if let current, !current.page.isFirst { return .join(current) }
    return answeredText.map { request(intent, of: $0) } ?? .none
  }

  private mutating func request(_ intent: PageIntent, of text: String) -> SearchStep {
    guard let page = hits.request(for: intent) else { return .none }
    lastNumber += 1
    let request = SearchRequest(number: lastNumber, query: text, page: page)
    current = request
    hits.begin(page)
    return .search(request)
  }
}

/// A request to the service. Two searches for the same text are two requests.
package struct SearchRequest: Hashable, Sendable {
  /// The number of the step that created the request.
  package let number: Int
  package let query: String
  package let page: PageRequest
}

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
