import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Foundation
import Testing

/// Checks what the guide claims about the view model after each step of the migration.
@Suite("Guide: migrate one view model", .timeLimit(.minutes(5)), .endsWaits)
struct MigrateOneViewModelTests {
  enum Step: CaseIterable, Sendable { case before, streamed, onQueue, migrated }

  private struct Subject {
    let object: any AnyObject & Sendable
    let states: @Sendable () -> AsyncStream<Shown>
    /// Starts a load.
    let load: @Sendable () -> Void
  }

  /// What a screen reads of the state of each step.
  private struct Shown: Sendable {
    let orders: [String]
    let isLoading: Bool
    let failure: (any Error)?

    init(_ state: Before.OrdersState) {
      (orders, isLoading, failure) = (state.orders, state.isLoading, state.failure)
    }

    init(_ state: OrdersState) {
      (orders, isLoading, failure) = (state.orders, state.isLoading, state.failure)
    }
  }

  private struct ScriptedOrders: LegacyOrders {
    let calls: ScriptedCalls<Void, [String]>

    init(ignoringCancellation: Bool = false) {
      calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
    }

    func orders(completion: @escaping @Sendable (Result<[String], any Error>) -> Void) -> OrdersRequest {
      let token = calls((), completion: completion)
      return OrdersRequest { token.cancel() }
    }
  }

  private func shown(_ model: some StateSource<OrdersState>) -> AsyncStream<Shown> {
    AsyncStream(buffering: .unbounded) { show in
      model.states().observe(on: .main) { show(Shown($0)) }
    }
  }

  private func subject(_ step: Step, _ service: ScriptedOrders) -> Subject {
    switch step {
    case .before:
      let model = Before.OrdersModel(service: service)
      let states = { @Sendable in
        AsyncStream<Shown>(buffering: .unbounded) { show in
          model.bind { show(Shown($0)) }
          return .finished
        }
      }
      return Subject(object: model, states: states) { model.load() }
    case .streamed:
      let model = Streamed.OrdersModel(service: service)
      return Subject(object: model, states: { shown(model) }) { model.load() }
    case .onQueue:
      let model = OnQueue.OrdersModel(service: service)
      return Subject(object: model, states: { shown(model) }) { model.load() }
    case .migrated:
      let model = Migrated.OrdersModel(service: AsyncOrders(legacy: service))
      return Subject(object: model, states: { shown(model) }) { _ = Task { await model.load() } }
    }
  }

  @Test("the states show a load, then its result; a failure keeps the old orders", arguments: Step.allCases)
  func load(step: Step) async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedOrders()
      let subject = subject(step, service)
      tracker.track(subject.object)
      let states = StateRecorder(subject.states())
      subject.load()
      let call = try await service.calls.next()
      try await states.first { $0.isLoading }
      call.succeed(["tea"])
      try await states.first { !$0.isLoading && $0.orders == ["tea"] }
      subject.load()
      try await service.calls.next().fail(URLError(.timedOut))
      try await states.first { $0.failure is URLError && $0.orders == ["tea"] }
    }
  }

  @Test("a second load cancels the first one", arguments: Step.allCases)
  func refresh(step: Step) async throws {
    let service = ScriptedOrders()
    let subject = subject(step, service)
    let states = StateRecorder(subject.states())
    subject.load()
    let first = try await service.calls.next()
    subject.load()
    await first.waitForCancellation()
    try await service.calls.next().succeed(["coffee"])
    try await states.first { $0.orders == ["coffee"] }
  }

  @Test("after the first step, a late answer does not replace a newer one", arguments: Step.allCases)
  func lateAnswer(step: Step) async throws {
    let service = ScriptedOrders(ignoringCancellation: true)
    let subject = subject(step, service)
    let states = StateRecorder(subject.states())
    subject.load()
    let late = try await service.calls.next()
    subject.load()
    try await service.calls.next().succeed(["coffee"])
    try await states.first { $0.orders == ["coffee"] }
    late.succeed(["tea"])
    subject.load()
    try await service.calls.next().fail(URLError(.timedOut))
    let last = try await states.first { $0.failure is URLError }
    #expect(last.orders == (step == .before ? ["tea"] : ["coffee"]))
  }

  @Test("a bound closure and an observing screen show the state of one model; the screen is released")
  @MainActor
  func screens() async throws {
    let service = ScriptedOrders()
    let model = Streamed.OrdersModel(service: service)
    let old = StateRecorder(AsyncStream(buffering: .latest) { model.bind($0) })
    try await LeakTracker.check { tracker in
      let screen = tracker.track(Streamed.OrdersScreen(model: model))
      screen.viewDidLoad()
      try await service.calls.next().succeed(["tea"])
      try await until { screen.shown.orders == ["tea"] }
      screen.didPullToRefresh()
      try await service.calls.next().succeed(["coffee"])
      try await until { screen.shown.orders == ["coffee"] }
    }
    try await old.first { $0.orders == ["coffee"] }
  }

  @Test("the migrated load returns after the state has the result; cancelling its caller cancels the request")
  func awaited() async throws {
    let service = ScriptedOrders()
    let model = Migrated.OrdersModel(service: AsyncOrders(legacy: service))
    let first = Task { await model.load() }
    try await service.calls.next().succeed(["tea"])
    await first.value
    #expect(model.state.orders == ["tea"] && !model.state.isLoading)

    let second = Task { await model.load() }
    let cancelled = try await service.calls.next()
    second.cancel()
    // The caller does not wait for the request, so the request can be cancelled later than the caller returns.
    await second.value
    #expect(model.state.orders == ["tea"] && !model.state.isLoading)
    await cancelled.waitForCancellation()
  }

  @Test("a model that still uses completion handlers can use an async service")
  func newService() async throws {
    let scripted = ScriptedOrders()
    let service = ClosureOrders(service: AsyncOrders(legacy: scripted))
    let model = Streamed.OrdersModel(service: service)
    let states = StateRecorder(model.states())
    model.load()
    try await scripted.calls.next().succeed(["tea"])
    try await states.first { $0.orders == ["tea"] }
  }

  @Test("the code of this folder contains the examples of the guide, in the same order")
  func examples() throws {
    try expectExamples(of: Repository.article("MigrateOneViewModel"), in: "MigratedOrders.swift")
  }
}
