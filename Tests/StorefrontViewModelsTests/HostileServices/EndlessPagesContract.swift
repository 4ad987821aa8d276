import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization
import Testing

/// In every stage, a view model stops requesting pages from a service that never sends a last page.
@Suite("A service that never sends a last page", .timeLimit(.minutes(5)))
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
      #expect(service.requestCount == 2)
      #expect(catalog.state.isComplete)
      #expect(catalog.state.failure as? PageError == .nothingNew(page: 1))
      #expect(catalog.state.snapshot.itemCount == 2)

      await catalog.refresh().value
      #expect(service.requestCount == 4)
      #expect(catalog.state.failure as? PageError == .nothingNew(page: 1))
      #expect(catalog.state.snapshot.itemCount == 2)
    }
  }

  @Test("a refresh that ends at a page that adds nothing keeps the old catalog and the old list")
  func refresh() {
    var catalog = CatalogState<Int, Row>(pageSize: 2) { _ in 0 }
    var list = ListState<Row>(pageSize: 2)
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
    #expect(catalog.failure as? PageError == .nothingNew(page: 1))
    #expect(!catalog.isRefreshing)
    #expect(list.items == .rows(1...2))
    #expect(list.refreshFailure as? PageError == .nothingNew(page: 0))
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
      for _ in 1...3 { await list.loadNextPage().value }
      #expect(service.requestCount == 2)
      #expect(!list.state.hasMore)
      #expect(list.state.nextPageFailure as? PageError == .nothingNew(page: 1))
      #expect(list.state.items.count == 2)
    }
  }
}

/// A service that answers each request at once, and after page 0 sends pages without new items.
final class EndlessPages: PageService, PageClosureService {
  enum Kind: CaseIterable, Sendable {
    case empty, repeated
  }

  private let kind: Kind
  private let requests = Atomic(0)

  init(_ kind: Kind) { self.kind = kind }

  var requestCount: Int { requests.load(ordering: .relaxed) }

  func page(_ request: PageRequest) async throws -> Page<Row> {
    // Lets the test end if the requests do not.
    guard requests.add(1, ordering: .relaxed).newValue < 100 else { throw ServiceError.timedOut }
    return request.index == 0 || kind == .repeated
      ? .rows(1...2, index: request.index) : .rows([], index: request.index)
  }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Row>, any Error>) -> Void
  ) -> CancellationToken { performAsync(completion: completion) { try await self.page(request) } }
}
