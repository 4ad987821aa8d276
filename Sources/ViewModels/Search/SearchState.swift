public import AsyncViewModels
public import StorefrontDomain

/// What a search screen shows, and the rules by which it changes. All three stages use it; none adds a rule.
public struct SearchState<Hit: Sendable>: Sendable {
  /// The text as it was typed.
  public private(set) var query = ""

  /// The request that is on its way, or waits for the typing to pause.
  private var current: SearchRequest?
  /// What the last answer said, and what it was an answer to.
  private var answer: ViewState<[Hit]> = .idle
  private var answeredText: String?
  private var requestCount = 0

  package init() {}

  /// Whether an answer to what was typed is still to come.
  public var isSearching: Bool { current != nil }

  /// What to show. Earlier hits stay until newer ones are there; `.loading` means that there is nothing to show meanwhile.
  public var results: ViewState<[Hit]> {
    isSearching && answer.value == nil ? .loading : answer
  }

  /// Whether `request` is the current one: an answer to any other is stale.
  package func awaits(_ request: SearchRequest) -> Bool { request == current }

  /// Takes on another text, without regard to the white space around it. No text at all resets the search.
  package mutating func setQuery(_ query: String) -> SearchStep {
    self.query = query
    let text = query.trimmingWhitespace
    if text.isEmpty {
      (current, answer, answeredText) = (nil, .idle, nil)
      return .stop
    }
    if let current, current.query == text { return .nothing }
    if answeredText == text, answer.error == nil {
      current = nil
      return .stop
    }
    return ask(text)
  }

  /// Asks for what stands there now, even if it was answered, and even if it is on its way.
  package mutating func submit() -> SearchStep {
    let text = query.trimmingWhitespace
    return text.isEmpty ? .nothing : ask(text)
  }

  /// Gives up what is on its way, and goes back to the last answer.
  package mutating func cancel() { current = nil }

  /// Shows an answer, if it is the one to the current request: a stale one changes nothing. A failure does not end the search, and
  /// a request that was called off goes back to the last answer.
  package mutating func receive(_ outcome: TaskOutcome<[Hit]>, for request: SearchRequest) {
    guard awaits(request) else { return }
    current = nil
    switch outcome {
    case .cancelled: return
    case .failure(let error): answer = .failed(error)
    case .success(let hits): answer = hits.isEmpty ? .empty : .loaded(hits)
    }
    answeredText = request.query
  }

  private mutating func ask(_ text: String) -> SearchStep {
    requestCount += 1
    let request = SearchRequest(number: requestCount, query: text)
    current = request
    return .search(request)
  }
}

/// One question to the service. The same text asked again is another request.
package struct SearchRequest: Hashable, Sendable {
  let number: Int
  package let query: String
}

/// What has to be done about a change of the query.
package enum SearchStep: Hashable, Sendable {
  case nothing
  /// Calls off what is on its way.
  case stop
  /// Asks this, in place of what is on its way.
  case search(SearchRequest)
}

/// The storefront's search, in its three stages.
public typealias ProductSearchViewModel = SearchViewModel<SearchHit>
public typealias ProductSearchStreamViewModel = SearchStreamViewModel<SearchHit>
public typealias ProductSearchClosureViewModel = SearchClosureViewModel<SearchHit>
