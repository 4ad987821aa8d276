import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsShadow
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization
import Testing

@Suite("Shadow comparison: memory", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct ShadowMemoryTests {
  /// An answer that is counted while it lives.
  private final class Answer: Sendable {
    let count: Counter
    init(_ count: Counter) {
      self.count = count
      count.live.withLock { $0 += 1 }
    }
    deinit { count.live.withLock { $0 -= 1 } }
  }

  private final class Counter: Sendable {
    let live = Mutex(0)
    var value: Int { live.withLock { $0 } }
  }

  @Test("an hour of traffic keeps no more answers than the limit")
  func soak() async throws {
    let (clock, counter) = (VirtualClock(), Counter())
    let calls = ShadowCalls(isEnabled: true, limit: 20)
    var differences: [ShadowDifference] = []
    let comparison = ShadowComparison(
      old: 0, state: { $0 }, new: 0, state: { $0 }, calls: calls, clock: clock
    ) { differences.append($0) }
    var readCount = 0
    for second in 0..<3600 {
      await comparison.perform("read") { _ in
        _ = try? await calls.record(second % 7) { Answer(counter) }
      } new: { _ in
        _ = try await calls.replay(second % 7, as: Answer.self)
        readCount += 1
      }
      try await until { readCount > second || !differences.isEmpty }
      if second.isMultiple(of: 60) {
        let count = comparison.comparedCount
        while comparison.comparedCount == count, differences.isEmpty {
          try await until {
            clock.sleeperCount > 0 || comparison.comparedCount > count || !differences.isEmpty
          }
          clock.advance(by: .seconds(1))
        }
      }
      #expect(counter.value <= 40)
    }
    #expect(comparison.comparedCount >= 60)
    #expect(differences.isEmpty, "\(differences)")
  }

  @Test("answers that the new view model does not read are a difference at the limit")
  func unread() async throws {
    let (clock, counter) = (VirtualClock(), Counter())
    let calls = ShadowCalls(isEnabled: true, limit: 20)
    var differences: [ShadowDifference] = []
    let comparison = ShadowComparison(
      old: 0, state: { $0 }, new: 0, state: { $0 }, calls: calls, clock: clock
    ) { differences.append($0) }
    for number in 0..<1000 { _ = try await calls.record(number) { Answer(counter) } }
    try #require(counter.value <= 40)
    // At the limit, the report does not wait for a pause.
    try await until { !differences.isEmpty }
    guard case .requests(let onlyOld, _)? = differences.first?.kind else {
      Issue.record("\(differences)")
      return
    }
    #expect(onlyOld.count == 21)
    try await until { counter.value == 0 }
    withExtendedLifetime(comparison) {}
  }

  @Test("intents that never end are a difference at the limit, and their calls fail")
  func unended() async throws {
    let calls = ShadowCalls(isEnabled: true, limit: 5)
    var differences: [ShadowDifference] = []
    let comparison = ShadowComparison(
      old: 0, state: { $0 }, new: 0, state: { $0 }, calls: calls, clock: VirtualClock()
    ) { differences.append($0) }
    let gate = Gate()
    for number in 0...5 {
      comparison.perform("\(number)") { _ in
      } new: { _ in
        await gate.wait()
      }
    }
    try await until { !differences.isEmpty }
    #expect(differences.map(\.kind) == [.unendedIntents(6)])
    gate.open()
    withExtendedLifetime(comparison) {}
  }

  @Test("calls that both sides cancel leave nothing, however many there are")
  func cancelled() async throws {
    let (old, calls) = (ScriptedCalls<Int, Int>(), ShadowCalls(isEnabled: true, limit: 20))
    for number in 0..<200 {
      let oldCall = calls.record(number) { (_: Result<Int, any Error>) in
      } from: {
        old(number, completion: $0)
      }
      let newCall = calls.replay(number) { (_: Result<Int, any Error>) in }
      if number.isMultiple(of: 2) { newCall.cancel() }
      oldCall.cancel()
      newCall.cancel()
    }
    #expect(calls.isRecording)
    #expect(old.openCalls.isEmpty)
    _ = try await calls.record(0) { 7 }
    #expect(try await calls.replay(0) == 7)
  }

  @Test("releasing the comparison ends waiting calls and releases both view models")
  func leaks() async throws {
    try await LeakTracker.check { tracker in
      let (service, calls) = (ScriptedStorefront(), tracker.track(ShadowCalls(isEnabled: true)))
      let old = tracker.track(
        CartClosureViewModel(
          service: RecordedStorefront(base: service, calls: calls), callbackQueue: callbackQueue))
      let new = tracker.track(CartViewModel(service: ReplayedStorefront(calls: calls)))
      let screen = ShadowedScreen(old: old, { Shown($0.state) }, new: new, { Shown($0.state) }, calls)
      async let added: Void = screen.add(.apple)
      try await service.cart.calls.next().succeed()
      await added
      try await screen.settle()
      // The screen goes away while the new view model waits.
      screen.comparison.perform("load") { _ in
      } new: {
        await $0.load()
      }
      try await until { new.state.isLoading }
      withExtendedLifetime(screen) {}
    }
  }

  @Test("a reported difference releases the new view model")
  func leakAfterDifference() async throws {
    let (service, calls, tracker) = (ScriptedStorefront(), ShadowCalls(isEnabled: true), LeakTracker())
    let clock = VirtualClock()
    var differences: [ShadowDifference] = []
    let comparison = ShadowComparison(
      old: 0, state: { $0 },
      new: tracker.track(CartViewModel(service: ReplayedStorefront(calls: calls))), state: { _ in 1 },
      calls: calls, clock: clock
    ) { differences.append($0) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    try await until { !differences.isEmpty }
    #expect(differences.map(\.kind) == [.states(old: "0", new: "1")])
    try await tracker.assertAllReleased()
    withExtendedLifetime((comparison, service)) {}
  }
}
