import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The list of products with the services of an app.
@Suite("List: with the storefront's services", .timeLimit(.minutes(1)))
struct ListOverServicesTests {
  private let catalog = Catalog.seeded(count: 120)

  @Test(
    "in memory, the list can be retried after a failure and loaded to its end",
    arguments: MigrationStage.allCases)
  func inMemory(stage: MigrationStage) async throws {
    let script = StorefrontScript()
    script.fail(.page, with: ServiceError.timedOut)
    let service = PageServicePair(
      async: InMemoryStorefront(catalog.contents, script: script),
      closure: InMemoryClosureStorefront(catalog.contents, script: script))
    try await withList(stage, service, pageSize: 50) { model in
      try await retryAndPageToTheEnd(model, expecting: .timedOut)
    }
  }

  @Test(
    "over HTTP, the list can be retried after a failure and loaded to its end",
    arguments: MigrationStage.allCases)
  func overHTTP(stage: MigrationStage) async throws {
    let server = LoopbackHTTPServer(catalog: catalog)
    let url = try server.start()
    server.fail(with: .status(503))
    let service = PageServicePair(
      async: HTTPStorefront(baseURL: url), closure: HTTPClosureStorefront(baseURL: url))
    try await withList(stage, service, pageSize: 50) { model in
      try await retryAndPageToTheEnd(model, expecting: .status(code: 503, message: "scripted failure"))
    }
    #expect(server.requestCount == 4)
  }

  @Test(
    "over HTTP, a cancelled load restores the idle state, and the list can be loaded again",
    arguments: MigrationStage.allCases)
  func cancelOverHTTP(stage: MigrationStage) async throws {
    let server = LoopbackHTTPServer(catalog: catalog)
    let url = try server.start()
    server.fail(with: .hold)
    // The timeout is longer than the test, because the request must not time out before it is cancelled.
    let service = PageServicePair(
      async: HTTPStorefront(baseURL: url, timeout: .seconds(600)),
      closure: HTTPClosureStorefront(baseURL: url, timeout: .seconds(600)))
    try await withList(stage, service, pageSize: 50) { model in
      await model.load()
      await server.waitForRequests(1)
      await model.cancel()
      #expect(model.state.content.isIdle)
      server.release()
      let states = StateRecorder(model.states())
      await model.load()
      try await states.first { $0.items.count == 50 }
    }
  }

  private func retryAndPageToTheEnd(
    _ model: any ListDriver<Product>, expecting failure: ServiceError
  ) async throws {
    let states = StateRecorder(model.states())
    await model.load()
    let failed = try await states.first { $0.content.error != nil }
    #expect(failed.content.error as? ServiceError == failure)
    await model.retry()
    for count in [50, 100, 120] {
      try await states.first { $0.items.count == count }
      await model.loadNextPage()
    }
    #expect(model.state.items == catalog.products)
    #expect(!model.state.hasMore)
  }
}

/// The two interfaces of one service, for drivers of any stage.
private struct PageServicePair<Item: Sendable>: PageService, PageClosureService {
  let async: any PageService<Item>
  let closure: any PageClosureService<Item>

  func page(_ request: PageRequest) async throws -> Page<Item> { try await async.page(request) }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Item>, any Error>) -> Void
  ) -> CancellationToken {
    closure.page(request, completion: completion)
  }
}
