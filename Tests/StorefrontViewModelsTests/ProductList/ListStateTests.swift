import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels
import Synchronization
import Testing

/// The rules of a paged list, without anybody who waits.
@Suite("ListState", .timeLimit(.minutes(1)))
struct ListStateTests {
  private let first = PageRequest(index: 0, size: 2)

  @Test("what is requested follows from the state and the intent")
  func requests() {
    var state = ListState<Row>(pageSize: 2)
    #expect(state.requests == [.load: first, .refresh: first], "idle")

    state.begin(first)
    #expect(state.requests == [.refresh: first], "loading")

    state.receive(.failure(ServiceError.timedOut))
    #expect(state.requests == [.load: first, .refresh: first, .retry: first], "failed")

    state.take(first, .rows(1...2))
    #expect(state.requests == [.refresh: first, .loadNextPage: first.next], "loaded")

    state.begin(first.next)
    #expect(state.requests == [.refresh: first], "loading the next page")

    state.receive(.failure(ServiceError.timedOut))
    #expect(
      state.requests == [.refresh: first, .loadNextPage: first.next, .retry: first.next], "next page failed")

    state.begin(first)
    #expect(state.requests == [.refresh: first], "refreshing")

    state.receive(.success(.rows(1...2, isLast: true)))
    #expect(state.requests == [.refresh: first], "at the end")
  }

  @Test("an empty list can be refreshed, and stays empty meanwhile")
  func empty() {
    var state = ListState<Row>(pageSize: 2)
    state.take(first, .rows([], isLast: true))
    state.begin(first)
    #expect(state.content.isEmpty)
    #expect(state.isRefreshing)
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.content.isEmpty)
    #expect(state.refreshFailure as? ServiceError == .timedOut)
  }

  @Test("an empty page is not the end, unless it says so")
  func emptyPage() {
    var state = ListState<Row>(pageSize: 2)
    state.take(first, .rows([]))
    #expect(state.content.isEmpty)
    #expect(state.request(for: .loadNextPage) == first.next)
    state.take(first.next, .rows([1], index: 1, isLast: true))
    #expect(state.content.value == .rows([1]))
  }

  @Test("a failure stands until its own request succeeds, or a refresh does")
  func failures() {
    var state = ListState<Row>(pageSize: 2)
    state.take(first, .rows(1...2))
    state.begin(first)
    state.receive(.failure(ServiceError.timedOut))
    state.take(first.next, .rows(3...4, index: 1))
    #expect(state.refreshFailure as? ServiceError == .timedOut, "a next page does not refresh the old ones")
    #expect(state.nextPageFailure == nil)

    state.begin(first.next.next)
    state.receive(.failure(ServiceError.notFound("page")))
    #expect(state.refreshFailure == nil, "the latest failure is the one to retry")
    #expect(state.nextPageFailure as? ServiceError == .notFound("page"))

    state.take(first, .rows(1...2))
    #expect(state.nextPageFailure == nil)
    #expect(state.request(for: .retry) == nil)
  }

  @Test("what is called off, by whomever, leaves no trace", arguments: [true, false])
  func calledOff(byService: Bool) {
    var state = ListState<Row>(pageSize: 2)
    state.take(first, .rows(1...2))
    state.begin(first.next)
    state.receive(.failure(ServiceError.timedOut))
    for intent in ListIntent.allCases {
      guard let request = state.request(for: intent) else { continue }
      state.begin(request)
      if byService { state.receive(.cancelled) } else { state.cancel() }
      #expect(state.underWay == nil)
      #expect(state.items == .rows(1...2))
      #expect(state.nextPageFailure as? ServiceError == .timedOut)
    }
  }

  @Test("an answer that nobody waits for changes nothing")
  func unexpectedAnswer() {
    var state = ListState<Row>(pageSize: 2)
    state.receive(.success(.rows(1...2)))
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.content.isIdle)
  }

  @Test("a copy shares its 10,000 items until they change")
  func sharing() {
    var state = ListState<Row>(pageSize: 10_000)
    let whole = PageRequest(index: 0, size: 10_000)
    state.take(whole, .rows(1...10_000))
    var copy = state
    copy.begin(whole.next)
    copy.receive(.failure(ServiceError.timedOut))
    #expect(copy.items.address == state.items.address)
    #expect(copy.content.value?.address == state.items.address)
    copy.take(whole.next, .rows([10_001], index: 1))
    #expect(copy.items.count == state.items.count + 1)
  }

  @Test("taking in a page costs as much as the page is long, not the list")
  func pageCost() {
    var state = ListState<Counted>(pageSize: 10_000)
    let whole = PageRequest(index: 0, size: 10_000)
    state.begin(whole)
    state.receive(.success(Page(items: (1...10_000).map(Counted.init), index: 0, isLast: false)))
    let before = Counted.ID.operations.load(ordering: .relaxed)
    state.begin(whole.next)
    state.receive(.success(Page(items: (10_001...10_050).map(Counted.init), index: 1, isLast: false)))
    #expect(Counted.ID.operations.load(ordering: .relaxed) - before < 50 * 20)
    #expect(state.items.count == 10_050)
  }
}

extension ListState {
  fileprivate var requests: [ListIntent: PageRequest] {
    var requests: [ListIntent: PageRequest] = [:]
    for intent in ListIntent.allCases { requests[intent] = request(for: intent) }
    return requests
  }

  fileprivate mutating func take(_ request: PageRequest, _ page: Page<Item>) {
    begin(request)
    receive(.success(page))
  }
}

extension [Row] {
  /// Where the elements lie: two arrays with one address share their storage.
  fileprivate var address: Int? {
    unsafe withUnsafeBytes { unsafe $0.baseAddress.map { Int(bitPattern: $0) } }
  }
}

/// An item that counts how often its identity is looked at.
private struct Counted: Identifiable {
  struct ID: Hashable {
    static let operations = Atomic(0)
    let number: Int

    func hash(into hasher: inout Hasher) {
      Self.operations.add(1, ordering: .relaxed)
      hasher.combine(number)
    }

    static func == (left: Self, right: Self) -> Bool {
      operations.add(1, ordering: .relaxed)
      return left.number == right.number
    }
  }

  let id: ID

  init(_ number: Int) { id = ID(number: number) }
}
