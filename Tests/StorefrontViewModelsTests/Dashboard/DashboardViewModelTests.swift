import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Testing

/// What only the async stage of the dashboard can do.
@Suite("Dashboard, async stage", .timeLimit(.minutes(5)), .endsWaits)
struct DashboardViewModelTests {
  private let script = DashboardScript()

  @Test("if a caller is cancelled, only the parts that no other caller waits for are cancelled")
  func sharedParts() async throws {
    try await withDashboard { model in
      let load = Task { await model.load() }
      let calls = try await script.nextOfEach()
      calls[1].fail(ServiceError.busy)
      calls[2].succeed(3)
      while model.state.loadingParts.count > 1 { await Task.yield() }
      // The second caller retries the orders and waits for nothing else.
      let retry = Task { await model.retry(.orders) }
      let orders = try await script.next(.orders)
      load.cancel()
      await load.value
      await calls[0].waitForCancellation()
      #expect(model.state.shown(.profile) == .idle)
      #expect(model.state.loadingParts == [.orders])
      orders.succeed(2)
      await retry.value
      #expect(model.state.shown(.orders) == .number(2))
    }
  }

  @Test("on the main actor, a retry right after a failure is published makes a new request")
  @MainActor
  func retryInTheSameTurn() async throws {
    try await withDashboard(on: MainActor.shared) { model in
      // Unlike a `Task`, an `async let` is cancelled if the test throws an error or reaches its time limit.
      // In a `Task`, `failThenSucceed` might wait forever for a call.
      async let answers: Void = failThenSucceed(failures: 50)
      let callers = TaskBag()
      let states = model.states()
      callers.run { await model.load() }
      var attempts = 0
      for await state in states {
        if state.shown(.profile) == .number(1) { break }
        guard state.shown(.profile) == .failed(.busy) else { continue }
        attempts += 1
        await MainActor.run { _ = callers.run { await model.retry(.profile) } }
      }
      try await answers
      #expect(attempts >= 50)
    }
  }

  @Test("an intent belongs to the account of its time, also if the dashboard is busy and runs it later")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)  // Task.immediate
  func accountOfTheIntent() async throws {
    let queue = DispatchQueue(label: "dashboard")
    try await withDashboard(on: QueueIsolation(queue)) { model in
      queue.suspend()
      let load = AccountVersion.runUnbound { Task.immediate { await model.load() } }
      let next = AccountVersion.advance()
      queue.resume()
      for call in try await script.nextOfEach() { call.succeed(1) }
      await load.value
      #expect(model.state.account.number < next.number)
    }
  }

  private func failThenSucceed(failures: Int) async throws {
    for _ in 0..<failures { try await script.next(.profile).fail(ServiceError.busy) }
    try await script.next(.profile).succeed(1)
  }

  private func withDashboard(
    on isolation: (any Actor)? = nil, _ body: (DashboardViewModel) async throws -> Void
  ) async throws {
    try await LeakTracker.check { tracker in
      // Other tests change the account of the process.
      try await AccountVersion.current.run {
        let model = DashboardViewModel(
          profile: script.profile, orders: script.orders, recommendations: script.recommendations,
          isolation: isolation)
        try await body(tracker.track(model))
      }
    }
  }
}
