public import AsyncViewModels
public import StorefrontDomain

/// The state of a search screen, and the rules by which it changes. All three stages use it, and none adds a rule.
public struct SearchState<Hit: Sendable>: Sendable {
  /// The text as the user typed it.
  public private(set) var query = ""

  /// The request that is in flight, or that waits for a pause in the typing.
  private var current: SearchRequest?
  /// The last answer, and the text that it answers.
  private var answer: ViewState<[Hit]> = .idle
  private var answeredText: String?
  /// The number of the last step that started or cancelled a request.
  private var lastNumber = 0

  package init() {}

  /// Whether a search is in progress or waits for a pause in the typing.
  public var isSearching: Bool { current != nil }

  /// The content of the screen. During a search, the hits of the last answer stay, and `.loading` means that there are none. A
  /// failure replaces the hits.
  public var results: ViewState<[Hit]> {
    isSearching && answer.value == nil ? .loading : answer
  }

  /// Replaces the query. White space around it does not count. An empty query resets the search.
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

  /// Searches for the current query, even if it was answered, and even if its request is in flight.
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

  /// Shows the answer to the current request. Ignores a stale answer. A cancellation restores the last answer.
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

/// One request to the service. Another search for the same text is another request.
package struct SearchRequest: Hashable, Sendable {
  /// The position of the request among all steps.
  package let number: Int
  package let query: String
}

/// What the view model does after `setQuery(_:)` or `submit()`.
package enum SearchStep: Hashable, Sendable {
  case none
  /// Cancel all requests with a lower number.
  case cancel(Int)
  /// Send this request in place of the one in flight.
  case search(SearchRequest)
}

/// The storefront's search, in its three stages.
public typealias ProductSearchViewModel = SearchViewModel<SearchHit>
/// The search of the storefront, in the stream stage.
public typealias ProductSearchStreamViewModel = SearchStreamViewModel<SearchHit>
/// The search of the storefront, in the closure stage.
public typealias ProductSearchClosureViewModel = SearchClosureViewModel<SearchHit>
