import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing

@testable import AsyncViewModels
@testable import AsyncViewModelsGCD

@Suite("DispatchCallbackScheduler", .timeLimit(.minutes(5)), .endsWaits)
struct DispatchCallbackSchedulerTests {
  @Test(
    "a delay beyond the range of Dispatch never ends",
    arguments: [
      .seconds(Int64.max), .nanoseconds(Int64.max) + .nanoseconds(1),
      .seconds(9_223_372_036) + .milliseconds(900), .seconds(3_155_760_000),
    ] as [Duration])
  func never(delay: Duration) async {
    let queue = DispatchQueue(label: "never")
    let scheduler = DispatchCallbackScheduler()
    let token = scheduler.schedule(after: delay, on: queue) { Issue.record("the action ran") }
    let isLater = Gate()
    let later = scheduler.schedule(after: .milliseconds(10), on: queue) { isLater.open() }
    await isLater.wait()
    token.cancel()
    later.cancel()
  }

  @Test(
    "the deadline is the start plus the delay",
    arguments: [
      (.milliseconds(30), 30_000_000), (.milliseconds(500), 500_000_000),
      (.milliseconds(1_250), 1_250_000_000), (.zero, 0), (.seconds(-1), 0), (.seconds(Int64.min), 0),
      (.seconds(Int64.max), 3_155_760_000_000_000_000),
    ] as [(Duration, UInt64)])
  func deadline(delay: Duration, nanoseconds: UInt64) {
    // Both numbers are multiples of 125, so no clock has to round them: a tick of Apple's clock is 125/3 ns.
    let start: UInt64 = 1_000_000_000_000
    let deadline = DispatchCallbackScheduler.deadline(
      after: delay, from: DispatchTime(uptimeNanoseconds: start))
    #expect(deadline.uptimeNanoseconds == start + nanoseconds)
  }

  @Test(
    "a block does not run before its delay is over",
    arguments: [.milliseconds(30), .milliseconds(300), .milliseconds(1_020)] as [Duration])
  func delay(delay: Duration) async {
    let start = DispatchTime.now()
    let time = Atomic(UInt64.zero)
    let ran = Gate()
    let token = DispatchCallbackScheduler().schedule(after: delay, on: DispatchQueue(label: "later")) {
      time.store(DispatchTime.now().uptimeNanoseconds, ordering: .releasing)
      ran.open()
    }
    await ran.wait()
    let elapsed = Duration.nanoseconds(time.load(ordering: .acquiring) - start.uptimeNanoseconds)
    #expect(elapsed >= delay)
    token.cancel()
  }

  @Test(
    "a delay of zero or less is over at once",
    arguments: [.zero, .seconds(-1), .seconds(Int64.min)] as [Duration])
  func negative(delay: Duration) async {
    let ran = Gate()
    let token = DispatchCallbackScheduler().schedule(after: delay, on: DispatchQueue(label: "now")) {
      ran.open()
    }
    await ran.wait()
    token.cancel()
  }

  @Test("cancelled work is released at once, and not when its delay is over", arguments: [true, false])
  func release(tokenIsReleased: Bool) async throws {
    let tokens = try await LeakTracker.check { tracker in
      let captured = tracker.track(Captured())
      let queue = DispatchQueue(label: "late")
      let token = DispatchCallbackScheduler().schedule(after: .seconds(3_600), on: queue) {
        Issue.record("the action ran with \(captured)")
      }
      if tokenIsReleased { return [CancellationToken]() }
      token.cancel()
      return [token]
    }
    withExtendedLifetime(tokens) {}
  }

  private final class Captured: Sendable {}
}
