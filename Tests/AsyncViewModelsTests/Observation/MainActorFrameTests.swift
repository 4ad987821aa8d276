import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

/// Observations with frames that begin on the main actor, such as those of a display.
@Suite("FramePacing: frames that begin on the main actor", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct MainActorFrameTests {
  /// A display whose frames a test begins.
  @MainActor
  private final class Display {
    var isRemoved = false
    var onRequest: () -> Void = {}
    private var last = 0
    private var bodies: [Int: @MainActor () -> Void] = [:]

    var requests: Int { bodies.count }

    func callInFrame(_ body: @escaping @MainActor () -> Void) -> CancellationToken? {
      guard !isRemoved else { return nil }
      last += 1
      let number = last
      bodies[number] = body
      onRequest()
      return CancellationToken { Task { @MainActor in self.bodies[number] = nil } }
    }

    func beginFrame() {
      let current = bodies
      bodies = [:]
      for body in current.values { body() }
    }
  }

  @MainActor
  private final class Screen {
    private(set) var shown: [Int] = []
    func show(_ value: Int) { shown.append(value) }
  }

  private let clock = VirtualClock()
  private let display = Display()
  private let state = StateStore(0)
  private let screen = Screen()

  private var pacing: FramePacing {
    FramePacing(longestFrame: .milliseconds(100), clock: clock) { [display] in display.callInFrame($0) }
  }

  private func settle() async {
    for _ in 0..<20 { await Task.detached {}.value }
  }

  @Test("an observation on the main actor delivers the latest value within the frame")
  func withinTheFrame() async throws {
    let token = state.observe(on: screen, pacing: pacing) { $0.show($1) }
    try await until { state.waitingCount == 1 }
    for frame in 1...3 {
      state.send(10 * frame)
      try await until { display.requests == 1 }
      for value in 1...5 { state.send(10 * frame + value) }
      #expect(screen.shown.count == frame)
      display.beginFrame()
      #expect(screen.shown.last == 10 * frame + 5)
      #expect(screen.shown.count == frame + 1)
      try await until { state.waitingCount == 1 }
    }
    token.cancel()
  }

  @Test("a value does not wait after a long time without a change, and not for a display that is gone")
  func withoutAFrame() async throws {
    let token = state.observe(on: screen, pacing: pacing) { $0.show($1) }
    try await until { state.waitingCount == 1 }
    clock.advance(by: .milliseconds(100))
    state.send(1)
    try await until { screen.shown == [0, 1] }
    display.isRemoved = true
    state.send(2)
    try await until { screen.shown == [0, 1, 2] }
    #expect(display.requests == 0)
    token.cancel()
  }

  @Test("an observation that ends while its value waits gives its place in the frame back")
  func endWhileWaiting() async throws {
    let token = state.observe(on: screen, pacing: pacing) { $0.show($1) }
    try await until { state.waitingCount == 1 }
    state.send(1)
    try await until { display.requests == 1 }
    token.cancel()
    try await until { display.requests == 0 }
    #expect(state.observerCount == 0)
    #expect(screen.shown == [0])
  }

  @Test("an observation that ends while it asks for a frame takes no place")
  func endInTheRequest() async throws {
    let token = state.observe(on: screen, pacing: pacing) { $0.show($1) }
    try await until { state.waitingCount == 1 }
    display.onRequest = { token.cancel() }
    state.send(1)
    try await until { state.observerCount == 0 }
    try await until { display.requests == 0 }
    display.beginFrame()
    #expect(screen.shown == [0])
  }

  @Test("a stream resumes its reader in the frame, with the value that is then the latest")
  func stream() async throws {
    let recorder = StateRecorder(state.states(pacing: pacing))
    try await recorder.first { $0 == 0 }
    await settle()
    state.send(1)
    try await until { display.requests == 1 }
    state.send(2)
    display.beginFrame()
    try await recorder.first { $0 == 2 }
    display.isRemoved = true
    state.send(3)
    try await recorder.first { $0 == 3 }
    #expect(recorder.states == [0, 2, 3])
  }

  @Test("a stream whose reader is cancelled while it waits gives its place in the frame back")
  func cancelledStream() async throws {
    let task = Task { [state, pacing] in
      var last = 0
      for await value in state.states(pacing: pacing) { last = value }
      return last
    }
    await settle()
    try await until { state.waitingCount == 1 }
    state.send(1)
    try await until { display.requests == 1 }
    task.cancel()
    #expect(await task.value == 0)
    try await until { display.requests == 0 && state.observerCount == 0 }
  }
}
