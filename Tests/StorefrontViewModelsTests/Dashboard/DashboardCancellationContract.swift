import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Cancellation of the dashboard in every stage.
@Suite("Dashboard: cancel", .timeLimit(.minutes(5)), .endsWaits)
struct DashboardCancellationContract {
  @Test("one cancel cancels every request and ends the load", arguments: ContractStage.allCases)
  func cancel(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let loaded = await model.load()
      let calls = try await script.nextOfEach()
      await model.cancel()
      #expect(model.state.shown == [.idle, .idle, .idle])
      #expect(!model.state.isLoading)
      for call in calls { await call.waitForCancellation() }
      await loaded.value
      #expect(model.state.shown == [.idle, .idle, .idle], "a cancellation is not a failure")
      #expect(model.state.failures.isEmpty)
    }
  }

  @Test("a part that arrived before a cancel stays", arguments: ContractStage.allCases)
  func cancelAfterOne(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states())
      let loaded = await model.load()
      let calls = try await script.nextOfEach()
      calls[1].succeed(1)
      try await states.first { $0.shown(.orders) == .number(1) }
      await model.cancel()
      await calls[0].waitForCancellation()
      await calls[2].waitForCancellation()
      await loaded.value
      #expect(model.state.shown == [.idle, .number(1), .idle])
    }
  }

  @Test(
    "cancelling a refresh restores the content or failure of every part", arguments: ContractStage.allCases)
  func cancelRefresh(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      try await load(model, script, 1, failing: [.orders])
      let before = model.state.shown
      let refreshed = await model.refresh()
      _ = try await script.nextOfEach()
      #expect(model.state.shown == [.number(1), .loading, .number(1)])
      await model.cancel()
      #expect(model.state.shown == before)
      #expect(model.state.failure(.orders) == .busy)
      await refreshed.value
      #expect(model.state.shown == before)
    }
  }

  @Test(
    "a late answer is neither published nor taken as the answer to a newer load",
    arguments: ContractStage.allCases)
  func lateAnswers(stage: ContractStage) async throws {
    let (stale, fresh) = (1, 2)
    let script = DashboardScript(ignoringCancellation: true)
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states(.unbounded))
      let abandoned = await model.load()
      let lateCalls = try await script.nextOfEach()
      await model.cancel()
      lateCalls[0].succeed(stale)
      let loaded = await model.load()
      let calls = try await script.nextOfEach()
      lateCalls[1].fail(ServiceError.busy)
      lateCalls[2].succeed(stale)
      await abandoned.value
      // In the closure and stream stages, the queue handles the late answers before this load.
      await model.load()
      for call in calls { call.succeed(fresh) }
      await loaded.value
      try #require(model.state.shown == [.number(fresh), .number(fresh), .number(fresh)])
      try await states.first { $0.shown == [.number(fresh), .number(fresh), .number(fresh)] }
      let everShown = states.states.flatMap(\.shown)
      #expect(!everShown.contains(.number(stale)))
      #expect(!everShown.contains(.failed(.busy)))
    }
  }

  @Test(
    "answers that arrive during a cancel do not change the state after the cancel has returned",
    arguments: ContractStage.allCases)
  func cancelAgainstAnswers(stage: ContractStage) async throws {
    let script = DashboardScript(ignoringCancellation: true)
    try await withDashboard(stage, script) { model in
      for round in 1...stage.rounds(200) {
        let refreshed = await model.refresh()
        let calls = try await script.nextOfEach()
        async let answers: Void = { for call in calls { call.succeed(round) } }()
        await model.cancel()
        let atReturn = model.state
        await answers
        await refreshed.value
        // In the closure and stream stages, this call waits until the queue has handled the late answers.
        await model.cancel()
        try #require(!atReturn.isLoading)
        try #require(model.state.shown == atReturn.shown)
      }
    }
  }

  @Test("a cancelled dashboard can be loaded again", arguments: ContractStage.allCases)
  func loadAfterCancel(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      await model.load()
      _ = try await script.nextOfEach()
      await model.cancel()
      try await load(model, script, 1)
      #expect(model.state.shown == [.number(1), .number(1), .number(1)])
    }
  }

  @Test("a cancel without a load in progress changes nothing", arguments: ContractStage.allCases)
  func idleCancel(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      await model.cancel()
      try await load(model, script, 1, failing: [.profile])
      await model.cancel()
      #expect(model.state.shown == [.failed(.busy), .number(1), .number(1)])
    }
  }

  @Test("a request that the service cancels leaves its part as it was", arguments: ContractStage.inProcess)
  func serviceCancels(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let loaded = await model.load()
      try await script.next(.profile).fail(CancellationError())
      try await script.next(.orders).succeed(1)
      try await script.next(.recommendations).succeed(1)
      await loaded.value
      #expect(model.state.shown == [.idle, .number(1), .number(1)])
      #expect(model.state.failures.isEmpty)
    }
  }

  @Test(
    "a dashboard that is deallocated during a load cancels every request", arguments: ContractStage.allCases,
    [false, true])
  func ownerEnd(stage: ContractStage, ignoringCancellation: Bool) async throws {
    let script = DashboardScript(ignoringCancellation: ignoringCancellation)
    var calls: [DashboardCall] = []
    try await withDashboard(stage, script) { model in
      await model.load()
      calls = try await script.nextOfEach()
    }
    for call in calls {
      await call.waitForCancellation()
      call.succeed(1)
    }
  }
}
