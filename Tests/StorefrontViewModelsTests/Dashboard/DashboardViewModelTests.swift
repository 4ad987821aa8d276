import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Testing

/// What only the async stage can do: be used from its host without a hop.
@Suite("Dashboard, hosted on the main actor", .timeLimit(.minutes(1)))
@MainActor
struct DashboardViewModelTests {
  private let script = DashboardScript()

  @Test("an intent has taken effect when it returns")
  func host() async throws {
    try await withHostedDashboard { model in
      let loaded = onHost(model) { $0.load() }
      #expect(model.state.shown == [.loading, .loading, .loading])
      let calls = try await script.nextOfEach()
      onHost(model) { $0.cancel() }
      #expect(model.state.shown == [.idle, .idle, .idle])
      for call in calls { await call.waitForCancellation() }
      await loaded.value
    }
  }

  @Test("a retry in the same turn as the failure is not swallowed")
  func retryInTheSameTurn() async throws {
    try await withHostedDashboard { model in
      let answers = Task { [script] in
        for _ in 0..<200 { try await script.next(.profile).fail(ServiceError.timedOut) }
        try await script.next(.profile).succeed(1)
      }
      let states = model.states()
      onHost(model) { $0.load() }
      var attempts = 0
      for await state in states {
        if state.shown(.profile) == .number(1) { break }
        guard state.shown(.profile) == .failed(.timedOut) else { continue }
        attempts += 1
        onHost(model) { $0.retry(.profile) }
      }
      try await answers.value
      #expect(attempts == 200)
    }
  }

  /// Uses the model as main-actor code does, without awaiting it.
  @discardableResult
  private func onHost<Answer: Sendable>(
    _ model: DashboardViewModel, _ body: (isolated DashboardViewModel) -> Answer
  ) -> Answer {
    model.assumeIsolated(body)
  }

  private func withHostedDashboard(_ body: (DashboardViewModel) async throws -> Void) async throws {
    try await LeakTracker.check { tracker in
      let model = DashboardViewModel(
        profile: script.profile, orders: script.orders, recommendations: script.recommendations,
        isolation: MainActor.shared)
      try await body(tracker.track(model))
    }
  }
}
