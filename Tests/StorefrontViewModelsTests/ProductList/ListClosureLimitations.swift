import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the closure stage of a list cannot do, and the later stages can.
@Suite("List: limitations of the closure stage", .timeLimit(.minutes(5)), .endsWaits)
struct ListClosureLimitations {
  @Test("a second binding silently replaces the first")
  func secondBinding() async throws {
    let (model, service, callbackQueue) = makeModel()
    let (first, second) = (StateLog(), StateLog())
    let firstToken = model.bind(first.note)
    try await first.states.first { $0.content.isIdle }
    let tokens = (firstToken, model.bind(second.note))
    model.load()
    try await service.calls.next().succeed(.rows(1...2))
    try await second.states.first { $0.items == .rows(1...2) }
    callbackQueue.sync {}
    withExtendedLifetime(tokens) {}
    first.end()
    let seen = try await first.states.waitForEnd()
    #expect(seen.count == 1, "the first observer receives no later state")
  }

  @Test("a slow observer receives every state and does not skip to the latest")
  func noConflation() async throws {
    let (model, service, callbackQueue) = makeModel()
    callbackQueue.suspend()
    let log = StateLog()
    let token = model.bind(log.note)
    for round in 1...10 {
      model.refresh()
      try await service.calls.next().succeed(.rows([round]))
      try await until { model.state.items == .rows([round]) }
    }
    callbackQueue.resume()
    try await log.states.first { $0.items == .rows([10]) }
    #expect(log.states.states.count == 21)
    token.cancel()
  }

  @Test("after a cancel, an observer may still receive an earlier state")
  func lateDelivery() async throws {
    let (model, service, callbackQueue) = makeModel()
    callbackQueue.suspend()
    let log = StateLog()
    let token = model.bind(log.note)
    model.load()
    _ = try await service.calls.next()
    model.cancel()
    #expect(model.state.content.isIdle)
    callbackQueue.resume()
    try await log.states.first { $0.content.isLoading }
    token.cancel()
  }

  @Test("an observer is not notified when the list is deallocated")
  func noEnd() async throws {
    let log = StateLog()
    var token: CancellationToken?
    try await LeakTracker.check { tracker in
      let (model, _, _) = makeModel()
      tracker.track(model)
      token = model.bind(log.note)
      try await log.states.first { $0.content.isIdle }
    }
    #expect(token?.isCancelled == false)
    #expect(log.states.states.count == 1)
  }

  private func makeModel() -> (
    ProductListClosureViewModel, ScriptedPageService<CatalogProduct>, DispatchQueue
  ) {
    let service = ScriptedPageService<CatalogProduct>()
    let callbackQueue = DispatchQueue(label: "callbacks")
    return (
      ProductListClosureViewModel(service: service, pageSize: 2, callbackQueue: callbackQueue), service,
      callbackQueue
    )
  }
}

/// Records the states that an observer of the closure stage receives.
private struct StateLog: Sendable {
  let states: StateRecorder<ProductListState>
  let note: @Sendable (ProductListState) -> Void
  /// Ends the recording after the states so far.
  let end: @Sendable () -> Void

  init() {
    let (stream, continuation) = AsyncStream<ProductListState>.makeStream()
    states = StateRecorder(stream)
    note = { continuation.yield($0) }
    end = { continuation.finish() }
  }
}
