import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The async stage of a list: its callers and observers.
@Suite("List, async stage", .timeLimit(.minutes(5)), .endsWaits)
struct ProductListViewModelTests {
  @Test("an intent returns when its load is over")
  func returnsAfterLoad() async throws {
    try await withModel { model, service in
      async let load: Void = model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await load
      #expect(model.state.items == .rows(1...2))
    }
  }

  @Test("an intent that needs no new request waits for the load in progress")
  func joins() async throws {
    try await withModel { model, service in
      async let load: Void = model.load()
      let call = try await service.calls.next()
      let callers = StateStore(0)
      let joined = Task {
        await model.load()
        callers.update { $0 += 1 }
        return model.state.items
      }
      for _ in 0..<100 { await Task.yield() }
      #expect(callers.value == 0)
      call.succeed(.rows(1...2))
      #expect(await joined.value == .rows(1...2))
      await load
    }
  }

  @Test("an intent with nothing to do returns at once, even after a cancel that the service ignores")
  func nothingToDo() async throws {
    try await withModel(ScriptedPageService(ignoringCancellation: true)) { model, service in
      await model.retry()
      async let load: Void = model.load()
      let call = try await service.calls.next()
      await model.cancel()
      await load
      await model.loadNextPage()
      #expect(model.state.content.isIdle)
      call.succeed(.rows(1...2))
    }
  }

  @Test("any number of observers see the same list")
  func observers() async throws {
    try await withModel { model, service in
      let observers = (0..<10).map { _ in StateRecorder(model.states()) }
      async let load: Void = model.load()
      try await service.calls.next().succeed(.rows(1...2))
      await load
      for observer in observers { try await observer.first { $0.items == .rows(1...2) } }
    }
  }

  private func withModel(
    _ service: ScriptedPageService<CatalogProduct> = ScriptedPageService(),
    _ body: (ProductListViewModel, ScriptedPageService<CatalogProduct>) async throws -> Void
  ) async throws {
    try await LeakTracker.check { tracker in
      try await body(tracker.track(ProductListViewModel(service: service, pageSize: 2)), service)
    }
  }
}
