import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The rules of the search, tested without a view model.
@Suite("Search state", .timeLimit(.minutes(5)), .endsWaits)
struct SearchStateTests {
  private static func request(_ text: String, _ state: inout SearchState<TextHit>) throws -> SearchRequest {
    guard case .search(let request) = state.setQuery(text) else { throw ServiceError.notFound(text) }
    return request
  }

  @Test("a stale answer changes nothing")
  func stale() throws {
    var state = SearchState<TextHit>()
    let (stale, current) = (try Self.request("a", &state), try Self.request("b", &state))
    state.receive(.success(["old"]), for: stale)
    #expect(state.results.value == nil)
    state.receive(.success(["new"]), for: current)
    state.receive(.failure(ServiceError.timedOut), for: stale)
    #expect(state.results.value == ["new"])
  }

  @Test("an answered query that is cleared and typed again needs a new request")
  func typedAgain() throws {
    var state = SearchState<TextHit>()
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
    var state = SearchState<TextHit>()
    #expect(try Self.request(" oak lamp\n", &state).query == "oak lamp")
    guard case .search(let request) = state.submit() else {
      return #expect(Bool(false), "a submit needs a request")
    }
    #expect(request.query == "oak lamp")
    #expect(state.query == " oak lamp\n")
  }

  @Test("a cancelled request restores the earlier answer")
  func cancelledRequest() throws {
    var state = SearchState<TextHit>()
    state.receive(.success(["first"]), for: try Self.request("a", &state))
    let second = try Self.request("b", &state)
    state.receive(.cancelled, for: second)
    #expect(state.results.value == ["first"])
    #expect(!state.isSearching)
    _ = try Self.request("b", &state)
    #expect(state.isSearching, "a query whose request was cancelled is searched for again")
  }

  private static func next(_ step: SearchStep) throws -> SearchRequest {
    guard case .search(let request) = step else { throw ServiceError.notFound("\(step)") }
    return request
  }

  /// A state that shows the first page of "tea".
  private static func shown(_ page: Page<TextHit> = Page(["1"], cursor: "a")) throws -> SearchState<TextHit> {
    var state = SearchState<TextHit>(pageSize: 3)
    state.receive(.success(page), for: try request("tea", &state))
    return state
  }

  @Test("the state determines what a next page and a retry request")
  func steps() throws {
    var state = SearchState<TextHit>(pageSize: 3)
    #expect(state.loadNextPage() == .none && state.retry() == .none, "idle")
    let search = try Self.request("tea", &state)
    #expect(search.page == PageRequest(size: 3))
    #expect(state.loadNextPage() == .none && state.retry() == .none, "searching")
    state.receive(.failure(ServiceError.timedOut), for: search)
    #expect(state.loadNextPage() == .none, "failed")
    let retried = try Self.next(state.retry())
    #expect(retried.page == search.page && retried.query == "tea" && retried.number > search.number)
    state.receive(.success(Page(["1"], cursor: "a")), for: retried)
    #expect(state.retry() == .none, "answered")

    let next = try Self.next(state.loadNextPage())
    #expect(next.page == PageRequest(cursor: "a", size: 3) && next.query == "tea")
    #expect(state.loadNextPage() == .join(next) && state.retry() == .join(next), "loading the next page")
    state.receive(.failure(ServiceError.timedOut), for: next)
    #expect(try Self.next(state.retry()).page == next.page)
    _ = state.cancel()
    #expect(try Self.next(state.loadNextPage()).page == next.page)
    state.receive(.success(["2"]), for: next)
    #expect(state.results.value == ["1"], "the answer to a cancelled request is ignored")
  }

  @Test("the next page belongs to the hits on the screen, not to a query that was typed and cancelled")
  func cancelledQuery() throws {
    var state = try Self.shown()
    _ = try Self.request("teapot", &state)
    _ = state.cancel()
    let next = try Self.next(state.loadNextPage())
    #expect(next.query == "tea")
    #expect(state.setQuery("tea ") == .none, "the next page of this query is being loaded")
    state.receive(.success(["2"]), for: next)
    #expect(state.results.value == ["1", "2"])
  }

  @Test("a search after a failed next page removes the failure, and its failure replaces the hits")
  func failures() throws {
    for fails in [true, false] {
      var state = try Self.shown()
      state.receive(.failure(ServiceError.timedOut), for: try Self.next(state.loadNextPage()))
      let search = try Self.request("teapot", &state)
      #expect(state.nextPageFailure != nil && state.results.value == ["1"], "the hits and their failure stay")
      state.receive(fails ? .failure(ServiceError.offline) : .success(["pot"]), for: search)
      #expect(state.nextPageFailure == nil)
      #expect(state.results.value == (fails ? nil : ["pot"]))
      #expect(state.results.error as? ServiceError == (fails ? .offline : nil))
      #expect(!state.hasMore)
    }
  }

  @Test("a first page without hits that is not the last one is a failure of the search")
  func nothingNew() throws {
    let state = try Self.shown(Page([], cursor: "a"))
    #expect(state.results.error as? PageError == .nothingNew(at: .start))
    #expect(!state.hasMore && state.nextPageFailure == nil)
  }

  @Test("a failed retry after an expired cursor replaces the hits")
  func expired() throws {
    var state = try Self.shown()
    let expired = PageError.expired(PageCursor(rawValue: "a"))
    state.receive(.failure(expired), for: try Self.next(state.loadNextPage()))
    let step = state.step(ifUnchangedBy: { $0.setQuery("tea") })
    #expect(step == SearchStep.none, "the query has been answered")
    let retried = try Self.next(state.retry())
    #expect(retried.page.isFirst)
    state.receive(.failure(ServiceError.offline), for: retried)
    #expect(state.results.error as? ServiceError == .offline)
    #expect(try Self.next(state.retry()).page.isFirst)
  }
}
