import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Loading of the dashboard in every stage.
@Suite("Dashboard", .timeLimit(.minutes(5)), .endsWaits)
struct DashboardContract {
  @Test(
    "the first state is idle, and nothing is requested before the first load",
    arguments: ContractStage.allCases)
  func firstState(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let first = try await StateRecorder(model.states()).first { _ in true }
      #expect(first.shown == [.idle, .idle, .idle])
      #expect(!first.isLoading)
      #expect(script.requestCounts.values.allSatisfy { $0 == 0 })
    }
  }

  @Test("a load requests all parts before any is answered", arguments: ContractStage.allCases)
  func parallel(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      await model.load()
      _ = try await script.nextOfEach()
      #expect(model.state.shown == [.loading, .loading, .loading])
      #expect(model.state.loadingParts == Set(DashboardPart.allCases))
    }
  }

  @Test(
    "each part is shown when it arrives, in any order", arguments: ContractStage.allCases,
    DashboardPart.orders)
  func partialResults(stage: ContractStage, order: [DashboardPart]) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states())
      let loaded = await model.load()
      for (index, part) in order.enumerated() {
        try await script.next(part).succeed(7)
        let state = try await states.first { $0.shown(part) == .number(7) }
        #expect(state.loadingParts == Set(order[(index + 1)...]))
        for later in order[(index + 1)...] { #expect(state.shown(later) == .loading) }
      }
      await loaded.value
      #expect(model.state.shown == [.number(7), .number(7), .number(7)])
      #expect(!model.state.isLoading)
    }
  }

  @Test("a part whose answer is an empty list shows the empty state", arguments: ContractStage.allCases)
  func empty(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let loaded = await model.load()
      try await script.next(.profile).succeed(1)
      try await script.orders.calls.next().succeed([])
      try await script.recommendations.calls.next().succeed([])
      await loaded.value
      #expect(model.state.shown == [.number(1), .empty, .empty])
    }
  }

  @Test(
    "a part that fails does not affect the others", arguments: ContractStage.allCases,
    DashboardPart.allCases)
  func oneFails(stage: ContractStage, failing: DashboardPart) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states())
      let loaded = await model.load()
      try await script.next(failing).fail(ServiceError.busy)
      let failed = try await states.first { $0.shown(failing) == .failed(.busy) }
      for part in DashboardPart.allCases where part != failing {
        #expect(failed.shown(part) == .loading)
        try await script.next(part).succeed(1)
      }
      await loaded.value
      for part in DashboardPart.allCases where part != failing {
        #expect(model.state.shown(part) == .number(1))
      }
      #expect(model.state.shown(failing) == .failed(.busy))
      #expect(model.state.failures.keys.elementsEqual([failing]))
    }
  }

  @Test(
    "a part that is never answered does not delay the others", arguments: ContractStage.allCases,
    DashboardPart.allCases)
  func oneHangs(stage: ContractStage, hanging: DashboardPart) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states())
      await model.load()
      for part in DashboardPart.allCases where part != hanging { try await script.next(part).succeed(1) }
      let state = try await states.first { $0.loadingParts == [hanging] }
      for part in DashboardPart.allCases where part != hanging { #expect(state.shown(part) == .number(1)) }
      #expect(state.shown(hanging) == .loading)
    }
  }

  @Test("a load joins the load in progress and ends with it", arguments: ContractStage.allCases)
  func join(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states())
      let first = await model.load()
      try await script.next(.orders).succeed(1)
      try await states.first { $0.shown(.orders) == .number(1) }
      let second = await model.load()
      try await script.next(.profile).succeed(1)
      try await script.next(.recommendations).succeed(1)
      await second.value
      #expect(!model.state.isLoading)
      await first.value
      #expect(script.requestCounts.values.allSatisfy { $0 == 1 })
    }
  }

  @Test("loaded parts are not loaded again", arguments: ContractStage.allCases)
  func loaded(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      try await load(model, script, 1)
      await model.load().value
      #expect(script.requestCounts.values.allSatisfy { $0 == 1 })
    }
  }

  @Test("100 concurrent callers make one request for each part", arguments: ContractStage.allCases)
  func concurrentCallers(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      try await withThrowingDiscardingTaskGroup { callers in
        for _ in 0..<100 { callers.addTask { await model.load().value } }
        for call in try await script.nextOfEach() { call.succeed(1) }
      }
      #expect(script.requestCounts.values.allSatisfy { $0 == 1 })
      #expect(model.state.shown == [.number(1), .number(1), .number(1)])
    }
  }

  @Test("a load after a failure requests the failed part and no other", arguments: ContractStage.allCases)
  func loadAfterFailure(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      try await load(model, script, 1, failing: [.orders])
      let loaded = await model.load()
      try await script.next(.orders).succeed(2)
      await loaded.value
      #expect(model.state.shown == [.number(1), .number(2), .number(1)])
      #expect(script.requestCounts == [.profile: 1, .orders: 2, .recommendations: 1])
    }
  }

  @Test("streams end when the dashboard is deallocated", arguments: ContractStage.streams)
  func ownerEnd(stage: ContractStage) async throws {
    var states: StateRecorder<DashboardState>?
    try await withDashboard(stage, DashboardScript()) { model in states = StateRecorder(model.states()) }
    try await states?.waitForEnd()
  }
}

/// Creates the dashboard's view model of a stage, and checks that it is deallocated. The account does not change, although other tests
/// change the account of the process.
func withDashboard(
  _ stage: ContractStage, _ script: DashboardScript, _ body: (any DashboardDriver) async throws -> Void
) async throws {
  try await stage.check { tracker in
    try await AccountVersion.current.run {
      let model = stage.makeDashboard(
        profile: script.profile, orders: script.orders, recommendations: script.recommendations)
      tracker.track(model.subject)
      try await body(model)
    }
  }
}

/// Loads every part, and answers each with a number or with `.busy`.
func load(
  _ model: any DashboardDriver, _ script: DashboardScript, _ number: Int, failing: Set<DashboardPart> = []
) async throws {
  let loaded = await model.load()
  for part in DashboardPart.allCases {
    let call = try await script.next(part)
    if failing.contains(part) { call.fail(ServiceError.busy) } else { call.succeed(number) }
  }
  await loaded.value
}

extension DashboardPart {
  /// Every order in which three parts can answer.
  static let orders: [[DashboardPart]] = allCases.flatMap { first in
    allCases.filter { $0 != first }.map { second in
      [first, second] + allCases.filter { $0 != first && $0 != second }
    }
  }
}
