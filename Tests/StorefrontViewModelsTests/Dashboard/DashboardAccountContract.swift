import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Synchronization
import Testing

/// A change of the account while the dashboard is shown, in every stage: it never shows two users.
@Suite("Dashboard: change of the account", .timeLimit(.minutes(5)), .endsWaits)
struct DashboardAccountContract {
  @Test(
    "a profile of another user is not shown beside content from before it", arguments: ContractStage.allCases)
  func otherUser(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      try await load(model, script, 1)
      let states = StateRecorder(model.states(.unbounded))
      let refreshed = await model.refresh()
      let profile = try await script.profile.calls.next()
      let (orders, recommendations) = (
        try await script.next(.orders), try await script.next(.recommendations)
      )
      recommendations.succeed(2)
      try await states.first { $0.shown(.recommendations) == .number(2) }
      profile.succeed(Profile(2, user: 2))
      try await states.first { $0.shown(.profile) == .number(2) }
      #expect(model.state.shown == [.number(2), .loading, .number(2)])
      orders.fail(ServiceError.busy)
      await refreshed.value
      #expect(model.state.shown == [.number(2), .failed(.busy), .number(2)])
      #expect(!states.states.contains { $0.shown(.profile) == .number(2) && $0.shown(.orders) == .number(1) })
      #expect(script.requestCounts == [.profile: 2, .orders: 2, .recommendations: 2])
    }
  }

  @Test(
    "a profile of another user replaces requests that began before its own",
    arguments: ContractStage.allCases)
  func requestsInProgress(stage: ContractStage) async throws {
    let script = DashboardScript(ignoringCancellation: true)
    try await withDashboard(stage, script) { model in
      let states = StateRecorder(model.states(.unbounded))
      try await load(model, script, 1)
      let refreshed = await model.refresh()
      let earlier = try await script.nextOfEach()
      earlier[0].fail(ServiceError.busy)
      try await states.first { $0.failure(.profile) == .busy }
      let retried = await model.retry(.profile)
      try await script.profile.calls.next().succeed(Profile(2, user: 2))
      await retried.value
      #expect(model.state.shown == [.number(2), .loading, .loading])
      let (orders, recommendations) = (
        try await script.next(.orders), try await script.next(.recommendations)
      )
      for call in earlier.dropFirst() {
        await call.waitForCancellation()
        call.succeed(666)
      }
      orders.succeed(2)
      recommendations.succeed(2)
      await refreshed.value
      #expect(model.state.shown == [.number(2), .number(2), .number(2)])
      #expect(!states.states.contains { $0.shown.contains(.number(666)) })
    }
  }

  @Test(
    "orders of the next account are not shown beside the earlier profile", arguments: ContractStage.allCases)
  func ordersFirst(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      try await load(model, script, 1)
      let states = StateRecorder(model.states(.unbounded))
      let refreshed = await AccountVersion.advance().run { await model.refresh() }
      let calls = try await script.nextOfEach()
      calls[1].succeed(2)
      try await states.first { $0.shown(.orders) == .number(2) }
      #expect(model.state.shown == [.loading, .number(2), .loading])
      calls[0].fail(ServiceError.busy)
      calls[2].succeed(2)
      await refreshed.value
      #expect(model.state.shown == [.failed(.busy), .number(2), .number(2)])
      #expect(!states.states.contains { $0.shown(.profile) == .number(1) && $0.shown(.orders) == .number(2) })
    }
  }

  @Test(
    "a retry for the next account waits for its part, and loads every part again",
    arguments: ContractStage.allCases)
  func retryForTheNextAccount(stage: ContractStage) async throws {
    let script = DashboardScript()
    try await withDashboard(stage, script) { model in
      try await load(model, script, 1, failing: [.orders])
      let retried = await AccountVersion.advance().run { await model.retry(.orders) }
      let calls = try await script.nextOfEach()
      calls[1].succeed(2)
      await retried.value
      #expect(model.state.shown == [.loading, .number(2), .loading])
      let states = StateRecorder(model.states())
      calls[0].succeed(2)
      calls[2].succeed(2)
      try await states.first { $0.shown == [.number(2), .number(2), .number(2)] }
    }
  }

  @Test(
    "a load for the next account loads every part again, and replaces earlier requests",
    arguments: ContractStage.allCases)
  func loadForTheNextAccount(stage: ContractStage) async throws {
    let script = DashboardScript(ignoringCancellation: true)
    try await withDashboard(stage, script) { model in
      try await load(model, script, 1, failing: [.orders])
      let retried = await model.retry(.orders)
      let earlier = try await script.next(.orders)
      let loaded = await AccountVersion.advance().run { await model.load() }
      let calls = try await script.nextOfEach()
      #expect(model.state.shown == [.loading, .loading, .loading])
      await earlier.waitForCancellation()
      earlier.succeed(666)
      for call in calls { call.succeed(2) }
      await loaded.value
      await retried.value
      #expect(model.state.shown == [.number(2), .number(2), .number(2)])
    }
  }

  @Test(
    "a notification for the next account removes the earlier content, and replaces earlier requests",
    arguments: MigrationStage.allCases)
  func notification(stage: MigrationStage) async throws {
    let (script, center) = (DashboardScript(ignoringCancellation: true), CountingNotificationCenter())
    let account = AccountVersion.current
    try await LeakTracker.check { tracker in
      try await account.run {
        let model = stage.makeDashboard(
          profile: script.profile, orders: script.orders, recommendations: script.recommendations,
          reloadingAfter: .storefrontAccountDidChange, from: center)
        tracker.track(model.subject)
        let states = StateRecorder(model.states(.unbounded))
        try await load(model, script, 1)
        let refreshed = await model.refresh()
        let earlier = try await script.nextOfEach()
        AccountVersion.advance().run { center.post(.storefrontAccountDidChange) }
        let calls = try await script.nextOfEach()
        #expect(model.state.shown == [.loading, .loading, .loading])
        for call in earlier {
          await call.waitForCancellation()
          call.succeed(666)
        }
        for call in calls { call.succeed(2) }
        await refreshed.value
        #expect(model.state.shown == [.number(2), .number(2), .number(2)])
        #expect(!states.states.contains { $0.shown.contains(.number(666)) })
        #expect(script.requestCounts.values.allSatisfy { $0 == 3 })
      }
    }
  }

  @Test("a request belongs to the account of its intent", arguments: MigrationStage.allCases)
  func accountOfARequest(stage: MigrationStage) async throws {
    let (script, profile) = (DashboardScript(), AccountRecorder())
    try await LeakTracker.check { tracker in
      let account = AccountVersion.current
      let next = AccountVersion.advance()
      let model = account.run {
        stage.makeDashboard(
          profile: profile, orders: script.orders, recommendations: script.recommendations)
      }
      tracker.track(model.subject)
      await account.run { _ = await model.load() }
      for part in [DashboardPart.orders, .recommendations] { try await script.next(part).succeed(1) }
      await model.settle()
      let refreshed = await next.run { await model.refresh() }
      for part in [DashboardPart.orders, .recommendations] { try await script.next(part).succeed(2) }
      await refreshed.value
      #expect(profile.accounts.withLock { $0 } == [account, next])
    }
  }
}

/// Records the account of each request.
private final class AccountRecorder: ProfileService, ProfileClosureService {
  let accounts = Mutex<[AccountVersion]>([])

  func profile() async throws -> Profile {
    accounts.withLock { $0.append(.current) }
    return Profile(1)
  }

  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    accounts.withLock { $0.append(.current) }
    completion(.success(Profile(1)))
    return .finished
  }
}
