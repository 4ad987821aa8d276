import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The reload of the dashboard after a notification, in every stage.
@Suite("Dashboard: reload after a notification", .timeLimit(.minutes(5)), .endsWaits)
struct DashboardNotificationContract {
  private let center = CountingNotificationCenter()
  private let script = DashboardScript()

  @Test(
    "a notification loads every part again, and the old content stays until then",
    arguments: MigrationStage.allCases)
  func reload(stage: MigrationStage) async throws {
    try await withDashboard(stage) { model in
      let states = StateRecorder(model.states())
      try await load(model, script, 1)
      post()
      let calls = try await script.nextOfEach()
      try await states.first {
        $0.loadingParts == Set(DashboardPart.allCases) && $0.shown == [.number(1), .number(1), .number(1)]
      }
      for call in calls { call.succeed(2) }
      try await states.first { $0.shown == [.number(2), .number(2), .number(2)] && !$0.isLoading }
      #expect(model.state.outdatedParts.isEmpty)
    }
  }

  @Test(
    "a dashboard registers once, with its first request, and a notification before that requests nothing",
    arguments: MigrationStage.allCases)
  func registration(stage: MigrationStage) async throws {
    try await withDashboard(stage) { model in
      post()
      #expect(center.registrationCount == 0)
      try await load(model, script, 1)
      #expect(center.registrationCount == 1)
      let refreshed = await model.refresh()
      for call in try await script.nextOfEach() { call.succeed(2) }
      await refreshed.value
      #expect(center.registrationCount == 1)
      #expect(script.requestCounts == [.profile: 2, .orders: 2, .recommendations: 2])
    }
    try await until { center.observerCount == 0 }
  }

  @Test(
    "a notification during a load causes another load, and the caller waits for both",
    arguments: MigrationStage.allCases)
  func duringLoad(stage: MigrationStage) async throws {
    try await withDashboard(stage) { model in
      let states = StateRecorder(model.states(.unbounded))
      let loaded = await model.load()
      let first = try await script.nextOfEach()
      post()
      try await states.first { $0.outdatedParts == Set(DashboardPart.allCases) }
      for call in first { call.succeed(1) }
      let second = try await script.nextOfEach()
      #expect(model.state.shown == [.number(1), .number(1), .number(1)])
      for call in second { call.succeed(2) }
      await loaded.value
      #expect(model.state.shown == [.number(2), .number(2), .number(2)])
      #expect(!model.state.isLoading)
      #expect(script.requestCounts == [.profile: 2, .orders: 2, .recommendations: 2])
      try await states.first { $0.shown == [.number(2), .number(2), .number(2)] }
      let looks = states.states.drop { !$0.isLoading }
      let gap = looks.prefix { $0.shown(.orders) != .number(2) }.first { !$0.loadingParts.contains(.orders) }
      #expect(gap == nil, "a part that looked up to date before its second load")
    }
  }

  @Test(
    "a notification that arrives while a service is asked for the first time causes another load",
    arguments: MigrationStage.allCases)
  func duringFirstRequest(stage: MigrationStage) async throws {
    let profile = PostingProfileService(center)
    try await withDashboard(stage, profile: profile) { model in
      let states = StateRecorder(model.states())
      await model.load()
      for number in 1...2 {
        for part in [DashboardPart.orders, .recommendations] { try await script.next(part).succeed(number) }
      }
      try await states.first { $0.shown == [.number(2), .number(2), .number(2)] && !$0.isLoading }
      #expect(profile.count.count == 2)
    }
  }

  @Test(
    "a burst of 100 notifications causes at most two more loads, and the last one shows",
    arguments: MigrationStage.allCases)
  func burst(stage: MigrationStage) async throws {
    try await withDashboard(stage) { model in
      try await load(model, script, 1)
      post()
      let calls = try await script.nextOfEach()
      for _ in 0..<100 { post() }
      for call in calls { call.succeed(2) }
      // Each part has its own task: one part can have one more request than another one.
      let answers = DashboardPart.allCases.map { part in
        Task { [script] in for number in 3... { try await script.next(part).succeed(number) } }
      }
      // A stream keeps one notification while the dashboard handles another one, so that there can be a fourth request. It can begin
      // after a state that looks up to date.
      var counts = script.requestCounts
      try await until {
        counts = script.requestCounts
        let state = model.state
        return !state.isLoading && state.outdatedParts.isEmpty
          && counts.allSatisfy { part, count in count > 2 && state.shown(part) == .number(count) }
      }
      for answer in answers { answer.cancel() }
      for (part, count) in counts { #expect((3...4).contains(count), "\(count) requests of \(part)") }
    }
  }

  @Test(
    "a reload that fails keeps the content, and the next load makes up for it",
    arguments: MigrationStage.allCases)
  func failure(stage: MigrationStage) async throws {
    try await withDashboard(stage) { model in
      let states = StateRecorder(model.states())
      try await load(model, script, 1)
      post()
      let calls = try await script.nextOfEach()
      calls[0].succeed(2)
      calls[1].fail(ServiceError.busy)
      calls[2].succeed(2)
      try await states.first { !$0.isLoading && $0.failure(.orders) == .busy }
      #expect(model.state.shown == [.number(2), .number(1), .number(2)])
      #expect(model.state.outdatedParts == [.orders])
      let loaded = await model.load()
      try await script.next(.orders).succeed(3)
      await loaded.value
      #expect(model.state.shown == [.number(2), .number(3), .number(2)])
      #expect(script.requestCounts == [.profile: 2, .orders: 3, .recommendations: 2])
    }
  }

  @Test(
    "a cancelled reload is cancelled at the service, and the next load makes up for it",
    arguments: MigrationStage.allCases)
  func cancel(stage: MigrationStage) async throws {
    try await withDashboard(stage) { model in
      try await load(model, script, 1)
      post()
      let calls = try await script.nextOfEach()
      await model.cancel()
      #expect(!model.state.isLoading)
      for call in calls { await call.waitForCancellation() }
      #expect(model.state.outdatedParts == Set(DashboardPart.allCases))
      let loaded = await model.load()
      for call in try await script.nextOfEach() { call.succeed(2) }
      await loaded.value
      #expect(model.state.shown == [.number(2), .number(2), .number(2)])
      #expect(model.state.outdatedParts.isEmpty)
    }
  }

  @Test(
    "a dashboard that is released during a reload cancels it, and ends its registration",
    arguments: MigrationStage.allCases)
  func release(stage: MigrationStage) async throws {
    var calls: [DashboardCall] = []
    try await withDashboard(stage) { model in
      try await load(model, script, 1)
      post()
      calls = try await script.nextOfEach()
    }
    for call in calls { await call.waitForCancellation() }
    try await until { center.observerCount == 0 }
    post()
    #expect(script.requestCounts == [.profile: 2, .orders: 2, .recommendations: 2])
  }

  @Test("a notification of another name loads nothing", arguments: MigrationStage.allCases)
  func otherName(stage: MigrationStage) async throws {
    try await withDashboard(stage) { model in
      let states = StateRecorder(model.states())
      try await load(model, script, 1)
      center.post(Notification.Name("another"))
      post()
      for call in try await script.nextOfEach() { call.succeed(2) }
      try await states.first { $0.shown == [.number(2), .number(2), .number(2)] && !$0.isLoading }
      #expect(script.requestCounts == [.profile: 2, .orders: 2, .recommendations: 2])
    }
  }

  private func post() { center.post(.storefrontAccountDidChange) }

  private func withDashboard(
    _ stage: MigrationStage, profile: (any ProfileService & ProfileClosureService)? = nil,
    _ body: (any DashboardDriver) async throws -> Void
  ) async throws {
    try await LeakTracker.check { tracker in
      // Other tests change the account of the process.
      try await AccountVersion.current.run {
        let model = stage.makeDashboard(
          profile: profile ?? script.profile, orders: script.orders, recommendations: script.recommendations,
          reloadingAfter: .storefrontAccountDidChange, from: center)
        tracker.track(model.subject)
        try await body(model)
      }
    }
  }
}

/// Answers at once with the number of the request. The account changes elsewhere during the first request.
private final class PostingProfileService: ProfileService, ProfileClosureService {
  let count = Tally()
  private let center: CountingNotificationCenter

  init(_ center: CountingNotificationCenter) { self.center = center }

  func profile() async throws -> Profile { answer() }

  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    completion(.success(answer()))
    return .finished
  }

  private func answer() -> Profile {
    let number = count.increment()
    if number == 1 { center.post(.storefrontAccountDidChange) }
    return Profile(number)
  }
}
