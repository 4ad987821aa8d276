import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The behavior of a catalog with sections, in every stage.
@Suite("Catalog", .timeLimit(.minutes(5)), .endsWaits)
struct CatalogContract {
  @Test(
    "the first state is idle, and nothing is requested before the first load",
    arguments: ContractStage.allCases, Paging.allCases)
  func firstState(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging) { model, service in
      let first = try await StateRecorder(model.states()).first { _ in true }
      #expect(first.content.isIdle)
      #expect(first.snapshot == CatalogState.Snapshot())
      #expect(service.calls.requests.isEmpty)
    }
  }

  @Test(
    "a load reads page after page to the end and shows each one when it arrives",
    arguments: ContractStage.allCases, Paging.allCases)
  func load(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging) { model, service in
      let states = StateRecorder(model.states())
      await model.load()
      let first = try await service.calls.next()
      #expect(model.state.content.isLoading)
      #expect(model.state.snapshot.isEmpty)
      first.succeed(.rows([1, 2]))

      let second = try await service.calls.next()
      #expect(model.state.sections == ["even": [2], "odd": [1]])
      #expect(!model.state.isComplete)
      second.succeed(.rows([3, 4], index: 1))

      let third = try await service.calls.next()
      #expect(model.state.sections == ["even": [2, 4], "odd": [1, 3]])
      #expect(model.state.difference.insertedItems.map(\.item.id) == [4, 3])
      third.succeed(.rows([5], index: 2, isLast: true))

      try await states.first { $0.isComplete }
      #expect(model.state.sections == ["even": [2, 4], "odd": [1, 3, 5]])
      #expect(model.state.content.value == model.state.snapshot)
      #expect(model.state.pendingRequest == nil)
      #expect(service.calls.requests == (0...2).map { PageRequest(index: $0, size: 2) })

      await model.load()
      await model.settle()
      #expect(service.calls.requests.count == 3, "a complete catalog is not loaded again")
    }
  }

  @Test("a catalog without items is empty", arguments: ContractStage.allCases, Paging.allCases)
  func empty(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging) { model, service in
      await model.load()
      try await service.calls.next().succeed(.rows([], isLast: true))
      await model.settle()
      #expect(model.state.content.isEmpty)
    }
  }

  @Test(
    "a failure keeps the loaded pages, and the next load continues after them",
    arguments: ContractStage.allCases, Paging.allCases)
  func failure(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging) { model, service in
      await model.load()
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .busy)

      await model.load()
      try await service.calls.next().succeed(.rows([1, 2]))
      try await service.calls.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.sections == ["even": [2], "odd": [1]])
      #expect(model.state.failure as? ServiceError == .busy)

      await model.load()
      let again = try await service.calls.next()
      #expect(again.request.index == 1)
      #expect(model.state.failure == nil)
      again.succeed(.rows([3], index: 1, isLast: true))
      await model.settle()
      #expect(model.state.sections == ["even": [2], "odd": [1, 3]])
      #expect(model.state.failure == nil)
    }
  }

  @Test(
    "an item that the service returns twice is replaced, not duplicated",
    arguments: ContractStage.allCases, Paging.allCases)
  func shifted(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging, pageSize: 3) { model, service in
      await model.load()
      try await service.calls.next().succeed(.rows([1, 2], "old"))
      try await service.calls.next().succeed(.rows([1, 3, 3], "new", index: 1, isLast: true))
      await model.settle()
      #expect(model.state.isComplete)
      #expect(model.state.failure == nil)
      #expect(model.state.sections == ["even": [2], "odd": [1, 3]])
      #expect(model.state.snapshot.item(1)?.content.name == "new")
      #expect(model.state.snapshot.item(2)?.content.name == "old")

      try await model.show([.rows([4, 1]), .rows([1], "newest", index: 1, isLast: true)], service)
      #expect(model.state.sections == ["even": [4], "odd": [1]])
      #expect(model.state.snapshot.item(1)?.content.name == "newest")
    }
  }

  @Test("100 concurrent loads read the catalog once", arguments: ContractStage.allCases, Paging.allCases)
  func singleFlight(stage: ContractStage, paging: Paging) async throws {
    try await withCatalog(stage, paging) { model, service in
      await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { await model.load() } }
      }
      try await service.calls.next().succeed(.rows([1, 2]))
      try await service.calls.next().succeed(.rows([3], index: 1, isLast: true))
      await model.settle()
      #expect(model.state.isComplete)
      #expect(service.calls.requests.count == 2)
    }
  }

  @Test(
    "a catalog that is deallocated during a load cancels its request", arguments: ContractStage.allCases,
    Paging.allCases)
  func deallocatedWhileLoading(stage: ContractStage, paging: Paging) async throws {
    let call = try await withCatalog(stage, paging) { model, service in
      await model.load()
      try await service.calls.next().succeed(.rows([1, 2]))
      return try await service.calls.next()
    }
    await call.waitForCancellation()
  }

  @Test(
    "streams yield the last state and end when the catalog is deallocated",
    arguments: ContractStage.streams, Paging.allCases)
  func ownerEnd(stage: ContractStage, paging: Paging) async throws {
    let states = try await withCatalog(stage, paging) { model, service in
      let states = StateRecorder(model.states())
      try await model.show([.rows([1, 2], isLast: true)], service)
      return states
    }
    #expect(try await states.waitForEnd().last?.sections == ["even": [2], "odd": [1]])
  }
}

/// Creates the catalog's view model of a stage, and checks that it is deallocated.
///
/// A page has two rows. One section contains the even rows, the other one the odd rows.
func withCatalog<Result>(
  _ stage: ContractStage, _ paging: Paging = .number,
  _ service: ScriptedPageService<CatalogProduct> = ScriptedPageService(), pageSize: Int = 2,
  _ body: (any CatalogDriver<String, CatalogProduct>, ScriptedPageService<CatalogProduct>) async throws ->
    Result
) async throws -> Result {
  try await stage.check { tracker in
    let model = stage.makeCatalog(service: paging.service(service), pageSize: pageSize) {
      $0.id.rawValue % 2 == 0 ? "even" : "odd"
    }
    tracker.track(model.subject)
    return try await body(model, service)
  }
}

extension CatalogDriver<String, CatalogProduct> {
  /// Refreshes the catalog and answers with these pages.
  func show(_ pages: [Page<CatalogProduct>], _ service: ScriptedPageService<CatalogProduct>) async throws {
    await refresh()
    for page in pages { try await service.calls.next().succeed(page) }
    await settle()
  }
}

extension CatalogState<String, CatalogProduct> {
  /// The identifiers of the items in each section.
  var sections: [String: [Int]] {
    Dictionary(uniqueKeysWithValues: snapshot.sections.map { ($0.id, $0.items.map(\.id.rawValue)) })
  }
}
