import AsyncViewModels
import Dispatch
import Synchronization
import Testing

@testable import AsyncViewModelsTesting

@Suite("the ends of waits", .timeLimit(.minutes(5)))
struct WaitEndingTests {
  /// Runs a body as a test with waits that end, and returns the messages of its issues.
  private func issues(
    processorTime: @escaping @Sendable () -> Double = { 0 }, cancellingWhenItWaits isCancelled: Bool = false,
    of body: @escaping @Sendable () async throws -> Void
  ) async throws -> [String] {
    let trait = WaitEnding(limit: 5, tick: .milliseconds(1), processorTime: processorTime)
    let test = try #require(Test.current)
    let messages = Mutex<[String]>([])
    try await withKnownIssue {
      let started = Mutex<TestWaits?>(nil)
      let run = Task {
        try await trait.provideScope(for: test, testCase: nil) {
          started.withLock { $0 = TestWaits.current }
          try await body()
        }
      }
      if isCancelled {
        try await until { started.withLock { $0 }?.waits.isEmpty == false }
        run.cancel()
      }
      try await run.value
    } matching: { issue in
      messages.withLock { $0 += issue.comments.map(\.rawValue) }
      return true
    }
    return messages.withLock { $0 }
  }

  @Test("a task at a gate that stays closed is named, and returns")
  func gate() async throws {
    let messages = try await issues { await Gate().wait() }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("waited for: Gate.wait() with State(isOpen: false, arrivals: 1") == true)
  }

  @Test("a wait ends if the test is cancelled, also if it ignores cancellation")
  func cancelled() async throws {
    let busy = Tally()
    let messages = try await issues(
      processorTime: { Double(busy.increment()) }, cancellingWhenItWaits: true
    ) { await Gate().wait() }
    #expect(messages.first?.contains("Gate.wait()") == true)
  }

  @Test("a call without an answer is named with its request, and fails")
  func call() async throws {
    let messages = try await issues {
      let calls = ScriptedCalls<String, Int>(ignoringCancellation: true)
      await #expect(throws: CancellationError.self) { try await calls("swift") }
      await #expect(throws: CancellationError.self) { try await calls("a later call") }
    }
    #expect(messages.first?.contains("a response to String: swift") == true)
  }

  @Test("a test that waits for a call is named")
  func nextCall() async throws {
    let messages = try await issues {
      let calls = ScriptedCalls<String, Int>()
      await #expect(throws: CancellationError.self) { try await calls.next() }
    }
    #expect(messages.first?.contains("ScriptedCalls.next()") == true)
  }

  @Test("a clock that does not advance ends its sleeps and runs its blocks")
  func clock() async throws {
    let messages = try await issues {
      let clock = VirtualClock()
      let hasRun = Gate()
      let token = clock.schedule(after: .seconds(2), on: .global()) { hasRun.open() }
      await #expect(throws: CancellationError.self) { try await clock.sleep(for: .seconds(3)) }
      await #expect(throws: CancellationError.self) { try await clock.sleep(for: .seconds(1)) }
      #expect(clock.sleeperCount == 0)
      withExtendedLifetime(token) {}
    }
    #expect(messages.first?.contains("a block of VirtualClock that is due at") == true)
    #expect(messages.first?.contains("VirtualClock.sleep(until:") == true)
  }

  @Test("a recorder that waits for a state is named with what it has recorded")
  func recorder() async throws {
    let messages = try await issues {
      let state = StateStore(1)
      let recorder = StateRecorder(state.states())
      await #expect(throws: CancellationError.self) { try await recorder.first { $0 == 2 } }
    }
    #expect(messages.first?.contains("StateRecorder.first(from:where:) with Log(states: [1]") == true)
  }

  @Test("a wait of the test ends also if a task that is not of the test has made the gate or the call")
  func madeElsewhere() async throws {
    let messages = try await issues {
      let calls = ScriptedCalls<String, Int>()
      let (gate, token) = await Task.detached { (Gate(), calls("swift") { _ in }) }.value
      let call = try await calls.next()
      async let cancellation: Void = call.waitForCancellation()
      await gate.waitForArrivals(1)
      await cancellation
      withExtendedLifetime(token) {}
    }
    #expect(messages.first?.contains("Gate.waitForArrivals(_:)") == true)
    #expect(messages.first?.contains("Gate.waitUnlessCancelled()") == true)
  }

  @Test("what a task of the test makes after the end does not wait")
  func later() async throws {
    _ = try await issues {
      await Gate().wait()
      await Gate().wait()
      await #expect(throws: CancellationError.self) { try await VirtualClock().sleep(for: .seconds(1)) }
    }
  }

  @Test("the waits of a test go on while the process works")
  func busyProcess() async throws {
    let time = Tally()
    try await WaitEnding(limit: 1, tick: .milliseconds(1)) { Double(time.increment()) }.provideScope(
      for: #require(Test.current), testCase: nil
    ) {
      let gate = Gate()
      let waiting = Task { await gate.wait() }
      await gate.waitForArrivals(1)
      try await until { time.count > 20 }
      #expect(gate.waitingCount == 1)
      gate.open()
      await waiting.value
    }
  }

  @Test("the parts of a test are forgotten when they are released")
  func released() {
    let waits = TestWaits()
    TestWaits.$current.withValue(waits) {
      for _ in 0..<1_000 { _ = Gate() }
    }
    #expect(waits.count <= 64)
  }
}
