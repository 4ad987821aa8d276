import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The rules of the product list, tested without a view model.
@Suite("List state", .timeLimit(.minutes(5)), .endsWaits)
struct ProductListStateTests {
  private let first = PageRequest(index: 0, size: 2)

  @Test("the state and the intent determine which page is requested")
  func requests() {
    var state = ProductListState(pageSize: 2)
    #expect(state.requests == [.load: first, .reload: first], "idle")

    state.begin(first)
    #expect(state.requests == [.reload: first], "loading")

    state.receive(.failure(ServiceError.timedOut))
    #expect(state.requests == [.load: first, .reload: first, .retry: first], "failed")

    state.load(first, .rows(1...2))
    #expect(state.requests == [.reload: first, .loadNextPage: first.following], "loaded")

    state.begin(first.following)
    #expect(state.requests == [.reload: first], "loading the next page")

    state.receive(.failure(ServiceError.timedOut))
    #expect(
      state.requests == [.reload: first, .loadNextPage: first.following, .retry: first.following],
      "next page failed")

    state.begin(first)
    #expect(state.requests == [.reload: first], "refreshing")

    state.receive(.success(.rows(1...2, isLast: true)))
    #expect(state.requests == [.reload: first], "at the end")
  }

  @Test("an empty list stays empty during a refresh and after a failed one")
  func empty() {
    var state = ProductListState(pageSize: 2)
    state.load(first, .rows([], isLast: true))
    state.begin(first)
    #expect(state.content.isEmpty)
    #expect(state.isRefreshing)
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.content.isEmpty)
    #expect(state.refreshFailure as? ServiceError == .timedOut)
  }

  @Test(
    "a page that adds no item ends the list with an error, unless it is the last page",
    arguments: [true, false])
  func nothingNew(isEmpty: Bool) {
    var state = ProductListState(pageSize: 2)
    state.load(first, .rows(1...2))
    state.load(first.following, isEmpty ? .rows([], index: 1) : .rows(1...2, "newer", index: 1))
    #expect(state.nextPageFailure as? PageError == .nothingNew(at: .index(1)))
    #expect(!state.hasMore)
    #expect(state.items == .rows(1...2, isEmpty ? "" : "newer"))
    #expect(state.requests == [.reload: first, .retry: first.following])

    state.load(first.following, .rows([3], index: 1, isLast: true))
    #expect(state.nextPageFailure == nil)
    #expect(state.items.map(\.id) == [1, 2, 3])

    state.load(first, .rows([]))
    #expect(state.items.map(\.id) == [1, 2, 3], "the old list stays")
    #expect(state.refreshFailure as? PageError == .nothingNew(at: .index(0)))
    #expect(state.requests == [.reload: first, .retry: first])
  }

  @Test("an expired cursor ends the list, and only a retry or a refresh requests something: the first page")
  func expired() {
    var state = ProductListState(pageSize: 2)
    let next = PageRequest(cursor: "a", size: 2)
    state.load(first, Page(.rows(1...2), cursor: "a"))
    #expect(state.requests == [.reload: first, .loadNextPage: next])
    state.begin(next)
    state.receive(.failure(PageError.expired(PageCursor(rawValue: "a"))))
    #expect(state.requests == [.reload: first, .retry: first])
    #expect(state.nextPageFailure != nil && state.refreshFailure == nil)
    state.begin(first)
    #expect(state.isRefreshing)
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.requests == [.reload: first, .retry: first])
    #expect(state.items == .rows(1...2))
    state.load(first, Page(.rows(3...4), cursor: "b"))
    #expect(state.requests == [.reload: first, .loadNextPage: PageRequest(cursor: "b", size: 2)])
    #expect(state.items == .rows(3...4))
  }

  @Test("a failure is kept until its request or a refresh succeeds, or a newer failure replaces it")
  func failures() {
    var state = ProductListState(pageSize: 2)
    state.load(first, .rows(1...2))
    state.begin(first)
    state.receive(.failure(ServiceError.timedOut))
    state.load(first.following, .rows(3...4, index: 1))
    #expect(state.refreshFailure as? ServiceError == .timedOut, "a next page does not refresh the old ones")
    #expect(state.nextPageFailure == nil)

    state.begin(first.following.following)
    state.receive(.failure(ServiceError.notFound("page")))
    #expect(state.refreshFailure == nil, "the latest failure is the one to retry")
    #expect(state.nextPageFailure as? ServiceError == .notFound("page"))

    state.load(first, .rows(1...2))
    #expect(state.nextPageFailure == nil)
    #expect(state.request(for: .retry) == nil)
  }

  @Test("a request that the user or the service cancels changes nothing", arguments: [true, false])
  func cancelledRequest(byService: Bool) {
    var state = ProductListState(pageSize: 2)
    state.load(first, .rows(1...2))
    state.begin(first.following)
    state.receive(.failure(ServiceError.timedOut))
    for intent in PageIntent.allCases {
      guard let request = state.request(for: intent) else { continue }
      state.begin(request)
      if byService { state.receive(.cancelled) } else { state.cancel() }
      #expect(state.pendingRequest == nil)
      #expect(state.items == .rows(1...2))
      #expect(state.nextPageFailure as? ServiceError == .timedOut)
    }
  }

  @Test("an answer without a pending request changes nothing")
  func unexpectedAnswer() {
    var state = ProductListState(pageSize: 2)
    state.receive(.success(.rows(1...2)))
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.content.isIdle)
  }

  @Test("a copy shares the storage of its items until they change")
  func sharing() {
    var state = ProductListState(pageSize: 10_000)
    let whole = PageRequest(index: 0, size: 10_000)
    state.load(whole, .rows(1...10_000))
    var copy = state
    copy.begin(whole.following)
    copy.receive(.failure(ServiceError.timedOut))
    #expect(copy.items.address == state.items.address)
    #expect(copy.content.value?.address == state.items.address)
    copy.load(whole.following, .rows([10_001], index: 1))
    #expect(copy.items.count == state.items.count + 1)
  }

  @Test("the first page shares the storage of the service's page, and so does a reload with the same items")
  func sharedPage() {
    var state = ProductListState(pageSize: 3)
    let request = PageRequest(index: 0, size: 3)
    for text in ["old", "new"] {
      let page = Page<CatalogProduct>.rows(1...3, text, isLast: true)
      state.load(request, page)
      #expect(state.items == .rows(1...3, text))
      #expect(state.items.address == page.items.address)
    }
  }

  @Test(
    "after a reload, an update changes its own item, in whichever order the items are",
    arguments: [[1, 2, 3], [3, 1, 2], [2, 4, 1], [1]])
  func updateAfterReload(ids: [Int]) {
    var state = ProductListState(pageSize: 3)
    let request = PageRequest(index: 0, size: 3)
    state.load(request, .rows([1, 2, 3], isLast: true))
    state.load(request, .rows(ids, isLast: true))
    state.receive(ProductUpdate(product: 1, stock: 9))
    #expect(state.items.map(\.id.rawValue) == ids)
    #expect(state.items.map(\.stock) == ids.map { $0 == 1 ? 9 : 1 })
  }
}

extension ProductListState {
  fileprivate var requests: [PageIntent: PageRequest] {
    var requests: [PageIntent: PageRequest] = [:]
    for intent in PageIntent.allCases { requests[intent] = request(for: intent) }
    return requests
  }

  fileprivate mutating func load(_ request: PageRequest, _ page: Page<CatalogProduct>) {
    begin(request)
    receive(.success(page))
  }
}

extension PageRequest {
  /// The request for the following page. No index in these tests is `Int.max`.
  fileprivate var following: PageRequest { PageRequest(index: (index ?? 0) + 1, size: size) }
}
