import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization
import Testing

/// In every stage, a view model stops requesting pages from a service that never sends a last page.
@Suite("A service that never sends a last page", .timeLimit(.minutes(5)), .endsWaits)
struct EndlessPagesContract {
  @Test(
    "a catalog requests no page after a page that adds nothing, and shows the error",
    arguments: ContractStage.allCases, EndlessPages.Kind.allCases)
  func catalog(stage: ContractStage, kind: EndlessPages.Kind) async throws {
    let service = EndlessPages(kind)
    try await stage.check { tracker in
      let catalog = stage.makeCatalog(service: service, pageSize: 2) { _ in 0 }
      tracker.track(catalog.subject)
      await catalog.load().value
      #expect(service.requestCount == kind.requestCount)
      #expect(catalog.state.isComplete)
      #expect(catalog.state.failure as? PageError == .nothingNew(at: kind.end))
      #expect(catalog.state.snapshot.itemCount == kind.itemCount)

      await catalog.refresh().value
      #expect(service.requestCount == 2 * kind.requestCount)
      #expect(catalog.state.failure as? PageError == .nothingNew(at: kind.end))
      #expect(catalog.state.snapshot.itemCount == kind.itemCount)
    }
  }

  @Test("a refresh that ends at a page that adds nothing keeps the old catalog and the old list")
  func refresh() {
    var catalog = CatalogState<Int, CatalogProduct>(pageSize: 2) { _ in 0 }
    var list = ProductListState(pageSize: 2)
    let first = PageRequest(index: 0, size: 2)
    catalog.begin(first, for: .load)
    list.begin(first)
    _ = catalog.receive(.success(.rows(1...2)))
    list.receive(.success(.rows(1...2, isLast: true)))
    _ = catalog.receive(.success(.rows(3...4, index: 1, isLast: true)))

    catalog.begin(first, for: .refresh)
    list.begin(first)
    list.receive(.success(.rows([])))
    #expect(catalog.receive(.success(.rows(1...2))) != nil)
    #expect(catalog.receive(.success(.rows(1...2, index: 1))) == nil)
    #expect(catalog.snapshot.itemCount == 4)
    #expect(catalog.failure as? PageError == .nothingNew(at: .index(1)))
    #expect(!catalog.isRefreshing)
    #expect(list.items == .rows(1...2))
    #expect(list.refreshFailure as? PageError == .nothingNew(at: .index(0)))
  }

  @Test(
    "a list requests no page after a page that adds nothing, and shows the error",
    arguments: ContractStage.allCases, EndlessPages.Kind.allCases)
  func list(stage: ContractStage, kind: EndlessPages.Kind) async throws {
    let service = EndlessPages(kind)
    try await stage.check { tracker in
      let list = stage.makeList(service: service, pageSize: 2)
      tracker.track(list.subject)
      await list.load().value
      for _ in 1...4 { await list.loadNextPage().value }
      #expect(service.requestCount == kind.requestCount)
      #expect(!list.state.hasMore)
      #expect(list.state.nextPageFailure as? PageError == .nothingNew(at: kind.end))
      #expect(list.state.items.count == kind.itemCount)
    }
  }

  @Test(
    "a first page that adds nothing shows the error instead of an empty list",
    arguments: ContractStage.allCases)
  func emptyFirstPage(stage: ContractStage) async throws {
    let service = ScriptedPageService<CatalogProduct>()
    try await stage.check { tracker in
      let list = stage.makeList(service: service, pageSize: 2)
      tracker.track(list.subject)
      let loaded = await list.load()
      try await service.calls.next().succeed(Page(items: [], next: PageCursor(rawValue: "a")))
      await loaded.value
      #expect(list.state.content.error as? PageError == .nothingNew(at: .start))
      #expect(!list.state.hasMore)
    }
  }

  @Test(
    "a search requests no page after a page that adds nothing, and shows the error",
    arguments: ContractStage.allCases, EndlessPages.Kind.byCursor)
  func search(stage: ContractStage, kind: EndlessPages.Kind) async throws {
    let service = EndlessPages(kind)
    try await stage.check { tracker in
      let search = stage.makeSearch(service: service, clock: VirtualClock(), pageSize: 2)
      tracker.track(search.subject)
      search.setQuery("tea")
      await search.submit().value
      for _ in 1...4 { await search.loadNextPage().value }
      #expect(service.requestCount == kind.requestCount)
      #expect(!search.state.hasMore)
      #expect(search.state.nextPageFailure as? PageError == .nothingNew(at: kind.end))
      #expect(search.state.results.value?.count == kind.itemCount)
    }
  }
}

/// A service that answers each request at once, and from some page on sends pages without new items.
final class EndlessPages: PageService, PageClosureService, SearchService, SearchClosureService {
  enum Kind: CaseIterable, Sendable {
    /// By number: empty pages, or the first page again.
    case empty, repeated
    /// By cursor: always another cursor, with empty pages or with the first page again.
    case emptyAtNewCursors, repeatedAtNewCursors
    /// By cursor: the same cursor again and again.
    case sameCursor
    /// By cursor: three pages in a circle, of which two have items.
    case cycle

    static let byCursor: [Kind] = [.emptyAtNewCursors, .repeatedAtNewCursors, .sameCursor, .cycle]

    /// The number of requests up to the first page without new items.
    var requestCount: Int { self == .cycle ? 3 : 2 }

    var itemCount: Int { self == .cycle ? 4 : 2 }

    /// The position of the first page without new items.
    var end: PagePosition {
      Self.byCursor.contains(self)
        ? .cursor(PageCursor(rawValue: self == .cycle ? "+2" : "+1")) : .index(1)
    }
  }

  private let kind: Kind
  private let requests = Atomic(0)

  init(_ kind: Kind) { self.kind = kind }

  var requestCount: Int { requests.load(ordering: .relaxed) }

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    // Lets the test end if the requests do not.
    guard requests.add(1, ordering: .relaxed).newValue < 100 else { throw ServiceError.timedOut }
    let number = request.index ?? Int(request.position.cursor?.rawValue.dropFirst() ?? "") ?? 0
    return switch kind {
    case .empty: number == 0 ? .rows(1...2) : .rows([], index: number)
    case .repeated: .rows(1...2, index: number)
    case .emptyAtNewCursors: Page(number == 0 ? .rows(1...2) : [], cursor: "+\(number + 1)")
    case .repeatedAtNewCursors: Page(.rows(1...2), cursor: "+\(number + 1)")
    case .sameCursor: Page(.rows(1...2), cursor: "+1")
    case .cycle: Page(number == 1 ? .rows(3...4) : .rows(1...2), cursor: "+\((number + 1) % 3)")
    }
  }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken { .run(completion: completion) { try await self.page(request) } }

  func results(for query: String, page: PageRequest) async throws -> Page<CatalogProduct> {
    try await self.page(page)
  }

  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken { self.page(page, completion: completion) }
}
