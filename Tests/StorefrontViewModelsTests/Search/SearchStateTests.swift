import AsyncViewModels
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Testing

/// The rules of the search, tested without a view model.
@Suite("Search state", .timeLimit(.minutes(5)))
struct SearchStateTests {
  private static func request(_ text: String, _ state: inout SearchState<String>) throws -> SearchRequest {
    guard case .search(let request) = state.setQuery(text) else { throw ServiceError.notFound(text) }
    return request
  }

  @Test("a stale answer changes nothing")
  func stale() throws {
    var state = SearchState<String>()
    let (stale, current) = (try Self.request("a", &state), try Self.request("b", &state))
    state.receive(.success(["old"]), for: stale)
    #expect(state.results.value == nil)
    state.receive(.success(["new"]), for: current)
    state.receive(.failure(ServiceError.timedOut), for: stale)
    #expect(state.results.value == ["new"])
  }

  @Test("an answered query that is cleared and typed again needs a new request")
  func typedAgain() throws {
    var state = SearchState<String>()
    state.receive(.success(["hit"]), for: try Self.request("a", &state))
    _ = state.setQuery("")
    #expect(state.results.isIdle)
    let again = try Self.request("a", &state)
    #expect(state.isSearching)
    state.receive(.success(["again"]), for: again)
    #expect(state.results.value == ["again"])
  }

  @Test("a request contains the query without the white space around it, also after a submit")
  func whiteSpace() throws {
    var state = SearchState<String>()
    #expect(try Self.request(" oak lamp\n", &state).query == "oak lamp")
    guard case .search(let request) = state.submit() else {
      return #expect(Bool(false), "a submit needs a request")
    }
    #expect(request.query == "oak lamp")
    #expect(state.query == " oak lamp\n")
  }

  @Test("a cancelled request restores the earlier answer")
  func cancelledRequest() throws {
    var state = SearchState<String>()
    state.receive(.success(["first"]), for: try Self.request("a", &state))
    let second = try Self.request("b", &state)
    state.receive(.cancelled, for: second)
    #expect(state.results.value == ["first"])
    #expect(!state.isSearching)
    _ = try Self.request("b", &state)
    #expect(state.isSearching, "a query whose request was cancelled is searched for again")
  }
}
