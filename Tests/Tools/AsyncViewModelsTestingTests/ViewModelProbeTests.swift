import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import Synchronization
import Testing

@Suite("ViewModelProbe", .timeLimit(.minutes(5)), .endsWaits)
struct ViewModelProbeTests {
  private struct NewsState: Equatable, Sendable {
    var isLoading = false
    var headlines: [String] = []
  }

  private actor NewsModel {
    nonisolated let state = StateStore(NewsState())
    private let service: ScriptedCalls<Int, [String]>
    init(_ service: ScriptedCalls<Int, [String]>) { self.service = service }

    func load() async throws {
      state.update { $0.isLoading = true }
      let headlines = try await service(1)
      state.update { $0 = NewsState(isLoading: false, headlines: headlines) }
    }
  }

  private struct Refused: Error {}

  @Test("a test that mentions everything passes")
  func complete() async throws {
    try await ViewModelProbe.check { probe in
      let service = probe.watch(ScriptedCalls<Int, [String]>())
      let model = probe.track(NewsModel(service))
      let states = try await probe.states(model.state.states(.unbounded))
      probe.send { try await model.load() }
      try await states.expect { $0.isLoading = true }
      try await service.next().succeed(["Swift 7"])
      try await states.expect { $0 = NewsState(isLoading: false, headlines: ["Swift 7"]) }
    }
  }

  @Test("a state that differs fails with a line for each field that differs")
  func mismatch() async throws {
    let line: UInt = #line + 6
    let error = try await failure { probe in
      let (stream, input) = AsyncStream.makeStream(of: NewsState.self)
      input.yield(NewsState())
      let states = try await probe.states(stream)
      input.yield(NewsState(isLoading: true, headlines: ["a"]))
      try await states.expect { $0.headlines = ["a"] }
    }
    #expect(
      error == .unexpected(["isLoading: expected false, received true"], at: "\(#fileID):\(line)"))
  }

  @Test("a state that does not arrive fails with the difference from the last one")
  func missing() async throws {
    let line: UInt = #line + 6
    let error = try await failure { probe in
      let (stream, input) = AsyncStream.makeStream(of: NewsState.self)
      input.yield(NewsState())
      let states = try await probe.states(stream)
      input.finish()
      try await states.expect { $0.isLoading = true }
    }
    #expect(
      error == .missing(["isLoading: expected true, received false"], at: "\(#fileID):\(line)"))
  }

  @Test("a state that the test did not mention fails")
  func leftoverState() async throws {
    try await expectLeftover("state: isLoading: false → true") { probe in
      let send = Box<@Sendable (NewsState) -> Void>()
      _ = try await probe.states(startingWith: NewsState()) { send.value = $0 }
      send.value?(NewsState(isLoading: true))
    }
  }

  @Test("an equal state that is delivered again fails")
  func leftoverEqualState() async throws {
    try await expectLeftover("state: an equal value was delivered again") { probe in
      let send = Box<@Sendable (NewsState) -> Void>()
      _ = try await probe.states(startingWith: NewsState()) { send.value = $0 }
      send.value?(NewsState())
    }
  }

  @Test("an event that the test did not mention fails")
  func leftoverEvent() async throws {
    try await expectLeftover("event: saved") { probe in
      let send = Box<@Sendable (String) -> Void>()
      let events = probe.events { send.value = $0 }
      send.value?("opened")
      send.value?("saved")
      try await events.expect("opened")
    }
  }

  @Test("a request that the test did not take fails")
  func leftoverRequest() async throws {
    let service = ScriptedCalls<Int, String>()
    try await expectLeftover("a request that the test did not take: 7", lasting: true) { probe in
      probe.watch(service)
      _ = service(7) { _ in }
    }
  }

  @Test("a request that the test took and did not answer fails")
  func leftoverResponse() async throws {
    let service = ScriptedCalls<Int, String>(ignoringCancellation: true)
    try await expectLeftover("a request without a response: 7", lasting: true) { probe in
      probe.watch(service)
      _ = service(7) { _ in }
      _ = try await service.next()
    }
  }

  @Test("a timer that is pending fails")
  func leftoverTimer() async throws {
    let clock = VirtualClock()
    let sleep = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers(1)
    try await expectLeftover("a pending timer: ", lasting: true) { $0.watch(clock) }
    sleep.cancel()
  }

  @Test("an intent that still runs fails")
  func leftoverIntent() async throws {
    let gate = Gate()
    try await expectLeftover("a running intent", lasting: true) { probe in
      probe.send { try await gate.waitUnlessCancelled() }
      await gate.waitForArrivals(1)
    }
  }

  @Test("an intent that fails fails the test")
  func failedIntent() async throws {
    try await expectLeftover("Refused()") { probe in probe.send { throw Refused() } }
  }

  @Test("an observer that is still registered fails")
  func leftoverObserver() async throws {
    let center = CountingNotificationCenter()
    let token = center.register(for: Notification.Name("news"), from: nil) { _ in }
    try await expectLeftover("observers of notifications: 1", lasting: true) { $0.watch(center) }
    token.cancel()
    #expect(center.observerCount == 0)
    #expect(center.registrationCount == 1)
  }

  @Test("an object that is still alive fails")
  func leftoverObject() async throws {
    let gate = Gate()
    try await expectLeftover("an object that is still alive: gate", lasting: true) { $0.track(gate, "gate") }
    withExtendedLifetime(gate) {}
  }

  @Test("a live object of a scope fails", .enabled(if: LiveObjects.areCounted))
  func leftoverLiveObject() async throws {
    try await LiveObjects.scoped { liveObjects in
      let token = LiveObjectToken(.viewModel, "NewsModel")
      defer { token.end() }
      try await expectLeftover("objects that are still alive: ", lasting: true) { $0.watch(liveObjects) }
    }
  }

  @Test("an object that a task releases soon after the probe has stopped observing passes")
  func patience() async throws {
    try await ViewModelProbe.check { probe in
      let gate = probe.track(Gate())
      let (states, source) = AsyncStream.makeStream(of: NewsState.self)
      source.onTermination = { _ in
        Task.detached {
          for _ in 0..<50 { await Task.yield() }
          gate.open()
        }
      }
      source.yield(NewsState())
      _ = try await probe.states(states)
    }
  }

  @Test("a probe that is not exhaustive checks only the fields that a change sets")
  func notExhaustive() async throws {
    try await ViewModelProbe.check(exhaustive: false) { probe in
      let service = probe.watch(ScriptedCalls<Int, [String]>())
      let model = NewsModel(service)
      let states = try await probe.states(model.state.states(.unbounded))
      probe.send { try await model.load() }
      try await service.next().succeed(["Swift 7"])
      try await states.expect { $0.headlines = ["Swift 7"] }
      probe.send { try await model.load() }
    }
  }

  @Test("a source that conflates may skip a state, but not the last one")
  func conflating() async throws {
    try await expectLeftover("state: isLoading: false → true") { probe in
      let rest = Mutex([
        NewsState(), NewsState(isLoading: true), NewsState(headlines: ["a"]),
        NewsState(isLoading: true, headlines: ["a"]),
      ])
      let allRead = Gate()
      let stream = AsyncStream {
        let next = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if next == nil { allRead.open() }
        return next
      }
      let states = try await probe.states(stream, conflating: true)
      try await states.expect { $0.headlines = ["a"] }
      await allRead.wait()
    }
  }

  /// Checks that a probe fails because of one thing that is left over.
  ///
  /// - Parameter lasting: Whether it is there from the start and never ends, so that a wait for its end only takes time.
  private func expectLeftover(
    _ text: String, lasting: Bool = false, _ body: (ViewModelProbe) async throws -> Void
  ) async throws {
    guard case .leftovers(let lines) = try await failure(settling: lasting ? {} : nil, of: body) else {
      Issue.record("the probe reports no leftovers")
      return
    }
    #expect(lines.count == 1 && lines[0].contains(text), "\(lines)")
  }

  /// Returns the error of a probe. Not a macro, because the code in a macro has the line of the macro.
  private func failure(
    settling settle: (() async -> Void)? = nil, of body: (ViewModelProbe) async throws -> Void
  ) async throws -> ProbeError? {
    do {
      try await ViewModelProbe.check(settling: settle, body)
      return nil
    } catch let error as ProbeError {
      return error
    }
  }

  private final class Box<Value> {
    var value: Value?
  }
}
