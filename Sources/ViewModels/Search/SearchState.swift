public import AsyncViewModels
public import StorefrontDomain

/// The state of a search screen, and the rules by which it changes. The closure, stream and async view models share this type, and
/// none of them adds a rule.
public struct SearchState<Hit: Sendable>: Sendable {
  /// The text as the user typed it.
  public private(set) var query = ""

  /// The request that is in flight, or that waits for a pause in the typing.
  private var current: SearchRequest?
  /// The last answer. `answeredText` is the query that it answers.
  private var answer: ViewState<[Hit]> = .idle
  private var answeredText: String?
  /// The number of the last step that started or cancelled a request.
  private var lastNumber = 0

  package init() {}

  /// Whether a search is in progress or waits for a pause in the typing.
  public var isSearching: Bool { current != nil }

  /// The content of the screen. During a search, the hits of the last answer stay. If the last answer has no hits, the content is
  /// `.loading` during a search. A failure replaces the hits.
  public var results: ViewState<[Hit]> {
    isSearching && answer.value == nil ? .loading : answer
  }

  /// Replaces the query, and returns the next step of the view model. Whitespace around the query is ignored. An empty query
  /// cancels the search and clears the answer. A query that is being searched for, or that was answered last without a failure,
  /// needs no new request.
  package mutating func setQuery(_ query: String) -> SearchStep {
    self.query = query
    let text = query.trimmingWhitespace
    if text.isEmpty {
      (answer, answeredText) = (.idle, nil)
      return .cancel(cancel())
    }
    if let current, current.query == text { return .none }
    if answeredText == text, answer.error == nil { return .cancel(cancel()) }
    return request(text)
  }

  /// Searches for the current query, even if the query was answered before or its request is in flight. An empty query is not
  /// searched for.
  package mutating func submit() -> SearchStep {
    let text = query.trimmingWhitespace
    return text.isEmpty ? .none : request(text)
  }

  /// Cancels the request and restores the last answer.
  ///
  /// - Returns: The number of this step. From now on, a request with a lower number must not start.
  package mutating func cancel() -> Int {
    current = nil
    lastNumber += 1
    return lastNumber
  }

  /// Records the answer to the current request. Ignores the answer to any other request. After a cancellation, the last answer
  /// stays.
  package mutating func receive(_ outcome: TaskOutcome<[Hit]>, for request: SearchRequest) {
    guard request == current else { return }
    current = nil
    switch outcome {
    case .cancelled: return
    case .failure(let error): answer = .failed(error)
    case .success(let hits): answer = hits.isEmpty ? .empty : .loaded(hits)
    }
    answeredText = request.query
  }

  private mutating func request(_ text: String) -> SearchStep {
    lastNumber += 1
    let request = SearchRequest(number: lastNumber, query: text)
    current = request
    return .search(request)
  }
}

/// One request to the service. Two searches for the same text are two requests.
package struct SearchRequest: Hashable, Sendable {
  /// The number of the step that created the request. A later step has a higher number.
  package let number: Int
  package let query: String
}

/// The next step of the view model after `setQuery(_:)` or `submit()`.
package enum SearchStep: Hashable, Sendable {
  case none
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
