import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Refresh and retry of the dashboard in every stage.
@Suite("Dashboard: refresh and retry", .timeLimit(.minutes(5)), .endsWaits)
struct DashboardRefreshContract {
  @Test("a retry loads its part and no other", arguments: ContractStage.allCases, DashboardPart.allCases)
  func retry(stage: ContractStage, chosen: DashboardPart) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states())
      try await load(model, script, 1, failing: Set(DashboardPart.allCases))
      let retried = await model.retry(chosen)
      let call = try await script.next(chosen)
      try await states.first { $0.loadingParts == [chosen] && $0.shown(chosen) == .loading }
      call.succeed(2)
      await retried.value
      for part in DashboardPart.allCases {
        #expect(model.state.shown(part) == (part == chosen ? .number(2) : .failed(.busy)))
        #expect(script.requestCounts[part] == (part == chosen ? 2 : 1))
      }
    }
  }

  @Test("a part that has not failed is not retried", arguments: ContractStage.allCases)
  func retryWithoutFailure(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      for part in DashboardPart.allCases { await model.retry(part).value }
      await model.retryFailed().value
      #expect(script.requestCounts.values.allSatisfy { $0 == 0 })
      try await load(model, script, 1)
      for part in DashboardPart.allCases { await model.retry(part).value }
      await model.retryFailed().value
      #expect(script.requestCounts.values.allSatisfy { $0 == 1 })
    }
  }

  @Test("a retry of the failed parts loads all of them and no other", arguments: ContractStage.allCases)
  func retryFailed(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      try await load(model, script, 1, failing: [.profile, .recommendations])
      let retried = await model.retryFailed()
      let (profile, recommendations) = (
        try await script.next(.profile), try await script.next(.recommendations)
      )
      #expect(model.state.shown == [.loading, .number(1), .loading])
      #expect(model.state.failures.isEmpty, "a part that is being loaded is not a failure")
      profile.succeed(2)
      recommendations.fail(ServiceError.status(code: 500, message: "broken"))
      await retried.value
      let failure = ServiceError.status(code: 500, message: "broken")
      #expect(model.state.shown == [.number(2), .number(1), .failed(failure)])
      #expect(script.requestCounts == [.profile: 2, .orders: 1, .recommendations: 2])
    }
  }

  @Test("a part can be retried while others are loading", arguments: ContractStage.allCases)
  func retryDuringLoad(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states())
      await model.load()
      try await script.next(.profile).fail(ServiceError.busy)
      try await states.first { $0.shown(.profile) == .failed(.busy) }
      let retried = await model.retry(.profile)
      try await script.next(.profile).succeed(1)
      await retried.value
      #expect(model.state.shown == [.number(1), .loading, .loading])
      // Over HTTP, the requests of a load can arrive in any order.
      try await until { script.requestCounts == [.profile: 2, .orders: 1, .recommendations: 1] }
    }
  }

  @Test("a retry makes a request even right after a failure appears", arguments: ContractStage.allCases)
  func retryAtOnce(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states())
      await model.load()
      var seen = 0
      for attempt in 1...stage.rounds(100) {
        try await script.next(.profile).fail(ServiceError.status(code: 500 + attempt, message: ""))
        try await states.first(from: seen) {
          $0.shown(.profile) == .failed(.status(code: 500 + attempt, message: ""))
        }
        seen = states.states.count
        await model.retry(.profile)
      }
      try await script.next(.profile).succeed(1)
      try await states.first(from: seen) { $0.shown(.profile) == .number(1) }
    }
  }

  @Test("a refresh shows each old part until the new one arrives", arguments: ContractStage.allCases)
  func refresh(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states())
      try await load(model, script, 1)
      let refreshed = await model.refresh()
      let calls = try await script.nextOfEach()
      #expect(model.state.shown == [.number(1), .number(1), .number(1)])
      #expect(model.state.loadingParts == Set(DashboardPart.allCases))
      calls[1].succeed(2)
      let partial = try await states.first { $0.shown(.orders) == .number(2) }
      #expect(partial.shown == [.number(1), .number(2), .number(1)])
      #expect(partial.loadingParts == [.profile, .recommendations])
      calls[0].succeed(2)
      calls[2].succeed(2)
      await refreshed.value
      #expect(model.state.shown == [.number(2), .number(2), .number(2)])
      #expect(!model.state.isLoading)
    }
  }

  @Test(
    "a part whose refresh fails keeps its content, shows the failure and can be retried",
    arguments: ContractStage.allCases)
  func failedRefresh(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      try await load(model, script, 1)
      let refreshed = await model.refresh()
      try await script.next(.profile).fail(ServiceError.busy)
      try await script.next(.orders).succeed(2)
      try await script.next(.recommendations).succeed(2)
      await refreshed.value
      #expect(model.state.shown == [.number(1), .number(2), .number(2)])
      #expect(model.state.failure(.profile) == .busy)

      let retried = await model.retryFailed()
      try await script.next(.profile).succeed(3)
      await retried.value
      #expect(model.state.shown == [.number(3), .number(2), .number(2)])
      #expect(model.state.failures.isEmpty)
    }
  }

  @Test(
    "a refresh replaces the requests of a load, and the caller of the load waits for the refresh",
    arguments: ContractStage.allCases)
  func refreshReplaces(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states(.unbounded))
      let loaded = await model.load()
      let first = try await script.nextOfEach()
      first[0].succeed(1)
      try await states.first { $0.shown(.profile) == .number(1) }
      let refreshed = await model.refresh()
      let second = try await script.nextOfEach()
      for call in first.dropFirst() {
        await call.waitForCancellation()
        call.succeed(666)
      }
      for call in second { call.succeed(2) }
      // The load waits for the parts whose requests the refresh has replaced. The profile is not one of them,
      // because the load's request for the profile was over before the refresh.
      await loaded.value
      #expect(model.state.shown(.orders) == .number(2))
      #expect(model.state.shown(.recommendations) == .number(2))
      await refreshed.value
      #expect(model.state.shown == [.number(2), .number(2), .number(2)])
      #expect(script.requestCounts == [.profile: 2, .orders: 2, .recommendations: 2])
      try await states.first { $0.shown == [.number(2), .number(2), .number(2)] }
      #expect(!states.states.contains { $0.shown.contains(.number(666)) })
    }
  }
}
