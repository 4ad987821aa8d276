import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

/// The rules of a list that is loaded page by page.
@Suite("Paged items", .timeLimit(.minutes(5)), .endsWaits)
struct PagedItemsTests {
  @Test("the state and the intent determine which page is requested")
  func requests() {
    var list = List(first: 0)
    #expect(list.requests == [.load: 0, .reload: 0], "before the first load")
    list.begin(0)
    #expect(list.requests == [.reload: 0], "loading")
    list.receive(.failure(Refused()))
    #expect(list.requests == [.load: 0, .reload: 0, .retry: 0], "failed")
    list.load(0, ["a"], next: 1)
    #expect(list.requests == [.reload: 0, .loadNextPage: 1], "loaded")
    list.begin(1)
    #expect(list.requests == [.reload: 0], "loading the next page")
    list.receive(.failure(Refused()))
    #expect(list.requests == [.reload: 0, .loadNextPage: 1, .retry: 1], "the next page has failed")
    list.load(1, ["b"])
    #expect(list.requests == [.reload: 0], "at the end")
  }

  @Test("the first page shows its items, and a next page is appended")
  func pages() {
    var list = List(first: 0)
    #expect(list.content.isIdle && !list.isLoaded && !list.hasMore && !list.isExpired)
    list.begin(0)
    #expect(list.content.isLoading && list.pendingRequest == 0)
    #expect(!list.isReloading && !list.isLoadingNextPage)
    list.receive(.success(.init(["a", "b"], next: 1)))
    #expect(list.texts == "a b" && list.isLoaded && list.hasMore && list.pendingRequest == nil)
    list.begin(1)
    #expect(list.isLoadingNextPage && !list.isReloading && list.content.value?.count == 2)
    list.receive(.success(.init(["c"])))
    #expect(list.texts == "a b c" && !list.hasMore && !list.isLoadingNextPage)
    list.load(0, [Letter]())
    #expect(list.content.isEmpty && list.isLoaded && list.items.isEmpty)
  }

  @Test("a later item replaces an earlier one with the same id at its position")
  func duplicates() {
    var list = List(first: 0)
    list.load(0, ["a", "b", "a2"], next: 1)
    #expect(list.texts == "a2 b")
    list.load(1, ["c", "b2", "c2"], next: 2)
    #expect(list.texts == "a2 b2 c2")
    #expect(list.nextPageFailure == nil && list.hasMore)
  }

  @Test("a reload keeps the items while it runs and after its failure, and replaces them at its success")
  func reload() {
    var list = List(first: 0)
    list.load(0, ["a", "b"], next: 1)
    list.load(1, ["c"], next: 2)
    list.begin(0)
    #expect(list.isReloading && list.texts == "a b c" && list.pendingRequest == 0)
    list.receive(.failure(Refused()))
    #expect(list.reloadFailure is Refused && list.failure is Refused && list.texts == "a b c")
    list.begin(0)
    #expect(list.reloadFailure == nil, "hidden during the next reload")
    list.cancel()
    #expect(list.reloadFailure is Refused && !list.isReloading && list.texts == "a b c")
    list.load(0, ["b", "d"], next: 1)
    #expect(list.texts == "b d" && list.failure == nil)
    #expect(!list.contains(1) && list.contains(4))
  }

  @Test("a failed first load shows its failure, and has no items to keep")
  func firstFailure() {
    var list = List(first: 0)
    list.begin(0)
    list.receive(.failure(Refused()))
    #expect(list.content.error is Refused && list.failure is Refused && list.reloadFailure == nil)
    list.begin(0)
    #expect(list.content.isLoading)
    list.receive(.cancelled)
    #expect(list.content.error is Refused && list.request(for: .retry) == 0)
  }

  @Test("the failure of a next page is hidden by its retry, and removed by a success or a reload")
  func nextPageFailure() {
    for succeeds in [true, false] {
      var list = List(first: 0)
      list.load(0, ["a"], next: 1)
      list.begin(1)
      list.receive(.failure(Refused()))
      #expect(list.nextPageFailure is Refused && list.reloadFailure == nil && list.texts == "a")
      list.begin(1)
      #expect(list.nextPageFailure == nil)
      list.receive(.cancelled)
      #expect(list.nextPageFailure is Refused, "a cancelled retry shows it again")
      if succeeds { list.load(1, ["b"], next: 2) } else { list.load(0, ["a"], next: 1) }
      #expect(list.nextPageFailure == nil && list.request(for: .retry) == nil)
    }
  }

  @Test("a retry requests the page of the latest failure")
  func latestFailure() {
    var list = List(first: 0)
    list.load(0, ["a"], next: 1)
    list.begin(1)
    list.receive(.failure(Refused()))
    list.begin(0)
    list.receive(.failure(Refused()))
    #expect(list.request(for: .retry) == 0 && list.nextPageFailure != nil && list.reloadFailure != nil)
    list.begin(1)
    list.receive(.failure(Refused()))
    #expect(list.request(for: .retry) == 1 && list.reloadFailure == nil)
    list.begin(0)
    list.receive(.failure(Refused()))
    list.load(1, ["b"])
    #expect(list.reloadFailure is Refused, "a next page does not reload the first one")
  }

  @Test("a page that adds no item ends the list with an error, unless it is the last one")
  func nothingNew() {
    var list = List(first: 0)
    list.load(0, ["a"], next: 1)
    list.load(1, ["a2"], next: 2)
    #expect(list.nextPageFailure is PagedItemsError && list.texts == "a2" && !list.hasMore)
    #expect(list.requests == [.reload: 0, .retry: 1])
    list.load(1, ["a3"])
    #expect(list.nextPageFailure == nil && list.texts == "a3")
    list.load(0, [Letter](), next: 1)
    #expect(list.reloadFailure is PagedItemsError && list.texts == "a3")
    list.reset()
    #expect(list.content.isIdle && list.request(for: .load) == 0)
    list.begin(0)
    list.receive(.success(.init([], next: 1)), nothingNew: Refused())
    #expect(list.content.error is Refused, "the error that the app has passed")
  }

  @Test("a page whose next page is the first one ends the list with an error")
  func firstPageAgain() {
    var list = List(first: 0)
    list.load(0, ["a"], next: 0)
    #expect(list.texts == "a" && list.nextPageFailure is PagedItemsError && !list.hasMore)
    #expect(list.requests == [.reload: 0, .retry: 0])
    list.load(0, ["a"], next: 1)
    #expect(list.nextPageFailure == nil && list.requests == [.reload: 0, .loadNextPage: 1])
    list.load(1, ["b"], next: 0)
    #expect(list.texts == "a b" && list.nextPageFailure is PagedItemsError)
    #expect(list.requests == [.reload: 0, .retry: 1])
  }

  @Test("an expired cursor ends the list, and a retry loads the first page")
  func expired() {
    var list = List(first: 0)
    list.load(0, ["a"], next: 1)
    list.begin(1)
    list.receive(.failure(Refused()), isExpired: { $0 is Refused })
    #expect(list.isExpired && !list.hasMore && list.texts == "a" && list.nextPageFailure is Refused)
    #expect(list.requests == [.reload: 0, .retry: 0])
    list.begin(0)
    list.receive(.failure(Refused()), isExpired: { $0 is Refused })
    #expect(list.requests == [.reload: 0, .retry: 0] && list.reloadFailure is Refused)
    list.load(0, ["b"], next: 1)
    #expect(!list.isExpired && list.requests == [.reload: 0, .loadNextPage: 1])
  }

  @Test("an outcome without a request changes nothing, and a later request replaces a running one")
  func strayOutcomes() {
    var list = List(first: 0)
    list.receive(.success(.init(["a"])))
    list.receive(.failure(Refused()))
    #expect(list.content.isIdle)
    list.begin(1)
    list.receive(.success(.init(["a"])))
    #expect(list.content.isIdle, "there is no next page before the first one")
    list.load(0, ["a"], next: 1)
    list.begin(1)
    list.begin(0)
    #expect(list.isReloading && !list.isLoadingNextPage)
    list.begin(1)
    #expect(list.isLoadingNextPage && !list.isReloading)
    list.cancel()
    #expect(list.pendingRequest == nil && list.texts == "a")
  }

  @Test("an update changes its own item, also after a reload", arguments: ["a b c", "c a b", "b d a", "a"])
  func update(reloaded: String) {
    var list = List(first: 0)
    list.update(1) { $0.text = "stray" }
    list.load(0, ["a", "b", "c"])
    list.load(0, reloaded.split(separator: " ").map(String.init))
    list.update(1) { $0.text = "new" }
    list.update(26) { $0.text = "stray" }
    #expect(list.texts == reloaded.replacing("a", with: "new"))
  }

  @Test("a page costs one hash for each item, and a reload with the same ids none, however long the list is")
  func hashes() {
    var list = PagedItems<Counted, Int>(first: 0)
    let first = counted { list.load(0, (0..<1_000).map(Counted.init), next: 1) }
    #expect(first.hashes == 1_000)
    let reload = counted { list.load(0, (0..<1_000).map(Counted.init), next: 1) }
    #expect(reload == (0, 1_000))
    let next = counted { list.load(1, (1_000..<1_050).map(Counted.init), next: 2) }
    #expect(next.hashes < 50 * 10 && next.comparisons < 50 * 10)
    #expect(list.items.count == 1_050)
  }

  @Test("an update in place copies no item, and the first page shares the storage of the service's page")
  func storage() {
    let store = StateStore(PagedItems<Number, Int>(first: 0))
    let page = (0..<10_000).map { Number(id: $0) }
    store.updateInPlace { $0.load(0, page, next: 1) }
    #expect(store.value.items.address == page.address)
    store.updateInPlace { $0.load(1, [Number(id: 10_000)], next: 2) }
    let address = store.value.items.address
    store.updateInPlace { $0.update(0) { $0.count = 1 } }
    store.updateInPlace { $0.load(2, [Number(id: 1, count: 1), Number(id: 10_001)]) }
    #expect(store.value.items.address == address)
    #expect(store.value.items.map(\.count).reduce(0, +) == 2)
  }

  @Test("what an update in place replaces is released after the unlock", arguments: Replacement.allCases)
  func release(replacement: Replacement) {
    let store = StateStore(PagedItems<Released, Int>(first: 0))
    let releases = Atomic(0)
    let handler: @Sendable () -> Void = { [weak store] in
      // Terminates the process if the lock of the state is held.
      if store?.value.items.count == 1 { releases.add(1, ordering: .relaxed) }
    }
    store.updateInPlace { $0.load(0, [Released(handler)], next: 1) }
    replacement.prepare(store, handler)
    store.updateInPlace { replacement.replace(&$0, handler) }
    #expect(releases.load(ordering: .relaxed) == 1)
    #expect(store.value.items.count == 1)
  }
}

private typealias List = PagedItems<Letter, Int>

/// How a change of a list replaces one value.
enum Replacement: CaseIterable, Sendable {
  case reload, sameReload, nextPage, update, reloadFailure, failureOfReload, nextPageFailure,
    failureOfNextPage, reset

  fileprivate func prepare(
    _ store: StateStore<PagedItems<Released, Int>>, _ handler: @escaping @Sendable () -> Void
  ) {
    switch self {
    case .reload, .sameReload, .nextPage, .update, .reset: break
    case .reloadFailure, .failureOfReload: store.update { $0.fail(0, ReleasedError(handler)) }
    case .nextPageFailure, .failureOfNextPage: store.update { $0.fail(1, ReleasedError(handler)) }
    }
  }

  fileprivate func replace(_ list: inout PagedItems<Released, Int>, _ handler: @escaping @Sendable () -> Void)
  {
    switch self {
    case .reload: list.load(0, [Released(id: 2)], next: 1)
    case .sameReload: list.load(0, [Released()], next: 1)
    case .nextPage: list.load(1, [Released()])
    case .update: list.update(1) { $0 = Released() }
    case .reloadFailure: list.fail(0, Refused())
    case .failureOfReload: list.fail(1, Refused())
    case .nextPageFailure: list.fail(1, Refused())
    case .failureOfNextPage: list.load(1, [])
    case .reset:
      list.reset()
      list.load(0, [Released()])
    }
  }
}

/// An item or an error that calls a handler when it is released.
private final class Released: Identifiable, Sendable {
  let id: Int
  private let handler: (@Sendable () -> Void)?

  init(_ handler: (@Sendable () -> Void)? = nil, id: Int = 1) { (self.handler, self.id) = (handler, id) }

  deinit { handler?() }
}

private final class ReleasedError: Error {
  private let item: Released

  init(_ handler: @escaping @Sendable () -> Void) { item = Released(handler) }
}

/// A letter with its number as its id, and a text that begins with it.
private struct Letter: Identifiable, Sendable {
  var text: String
  let id: Int

  init(_ text: String) {
    self.text = text
    id = Int(text.utf8.first ?? 0) - 96
  }
}

private struct Number: Identifiable, Sendable {
  let id: Int
  var count = 0
}

/// An item that counts the hashes and comparisons of its id. Only one test uses it.
private struct Counted: Identifiable {
  struct ID: Hashable {
    static let hashes = Atomic(0)
    static let comparisons = Atomic(0)
    let number: Int

    func hash(into hasher: inout Hasher) {
      Self.hashes.add(1, ordering: .relaxed)
      hasher.combine(number)
    }

    static func == (left: ID, right: ID) -> Bool {
      comparisons.add(1, ordering: .relaxed)
      return left.number == right.number
    }
  }

  let id: ID

  init(_ number: Int) { id = ID(number: number) }
}

/// How often `change` hashes and compares ids.
private func counted(_ change: () -> Void) -> (hashes: Int, comparisons: Int) {
  Counted.ID.hashes.store(0, ordering: .relaxed)
  Counted.ID.comparisons.store(0, ordering: .relaxed)
  change()
  return (Counted.ID.hashes.load(ordering: .relaxed), Counted.ID.comparisons.load(ordering: .relaxed))
}

extension PagedItems {
  fileprivate var requests: [PageIntent: Request] {
    var requests: [PageIntent: Request] = [:]
    for intent in PageIntent.allCases { requests[intent] = request(for: intent) }
    return requests
  }

  fileprivate mutating func load(_ request: Request, _ items: [Item], next: Request? = nil) {
    begin(request)
    receive(.success(Page(items: items, next: next)))
  }

  fileprivate mutating func fail(_ request: Request, _ error: any Error) {
    begin(request)
    receive(.failure(error))
  }
}

extension PagedItems<Letter, Int> {
  fileprivate var texts: String { items.map(\.text).joined(separator: " ") }

  fileprivate mutating func load(_ request: Int, _ texts: [String], next: Int? = nil) {
    load(request, texts.map(Letter.init), next: next)
  }
}

extension PagedItems<Letter, Int>.Page {
  fileprivate init(_ texts: [String], next: Int? = nil) {
    self.init(items: texts.map(Letter.init), next: next)
  }
}

extension ViewState {
  fileprivate var isIdle: Bool { if case .idle = self { true } else { false } }
  fileprivate var isEmpty: Bool { if case .empty = self { true } else { false } }
}

extension Array {
  /// The address of the storage.
  fileprivate var address: UInt { unsafe withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
}
