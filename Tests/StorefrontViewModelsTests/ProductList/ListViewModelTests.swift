import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What only the async stage of a list can do.
@Suite("List: the async stage alone", .timeLimit(.minutes(1)))
struct ListViewModelTests {
  @Test("an intent can be awaited: its load is over then")
  func awaiting() async throws {
    try await withModel { model, service in
      let run = await model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await run.value
      #expect(model.state.items == .rows(1...2))
    }
  }

  @Test("an intent that gives way awaits the load to which it gave way")
  func joining() async throws {
    try await withModel { model, service in
      let first = await model.load()
      let call = try await service.calls.next()
      let joined = await model.load()
      #expect(joined == first)
      call.succeed(.rows(1...2))
      await joined.value
      #expect(model.state.items == .rows(1...2))
    }
  }

  @Test("an intent with nothing to do is over at once, even after a cancel that the service ignores")
  func nothingToDo() async throws {
    try await withModel(ScriptedPageService(ignoringCancellation: true)) { model, service in
      await model.retry().value
      await model.load()
      let call = try await service.calls.next()
      await model.cancel()
      await model.loadNextPage().value
      #expect(model.state.content.isIdle)
      call.succeed(.rows(1...2))
    }
  }

  @Test("hosted on the main actor, it is used from there without waiting")
  @MainActor
  func hostedOnMain() async throws {
    let service = ScriptedPageService<Row>()
    let model = ListViewModel(service: service, pageSize: 2, isolation: MainActor.shared)
    let run = loadOnMain(model)
    #expect(model.state.content.isLoading)
    try await service.calls.next().succeed(.rows(1...2))
    await run.value
    #expect(model.state.items == .rows(1...2))
  }

  @MainActor
  private func loadOnMain(_ model: ListViewModel<Row>) -> Task<Void, Never> {
    model.assumeIsolated { $0.load() }
  }

  @Test("any number of observers see the same list")
  func observers() async throws {
    try await withModel { model, service in
      let observers = (0..<10).map { _ in StateRecorder(model.states()) }
      await model.load()
      try await service.calls.next().succeed(.rows(1...2))
      for observer in observers { try await observer.first { $0.items == .rows(1...2) } }
    }
  }

  private func withModel(
    _ service: ScriptedPageService<Row> = ScriptedPageService(),
    _ body: (ListViewModel<Row>, ScriptedPageService<Row>) async throws -> Void
  ) async throws {
    try await LeakTracker.check { tracker in
      try await body(tracker.track(ListViewModel(service: service, pageSize: 2)), service)
    }
  }
}
