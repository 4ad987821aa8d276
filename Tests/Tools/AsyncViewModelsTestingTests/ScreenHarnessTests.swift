import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing

@MainActor
@Suite("ScreenHarness", .timeLimit(.minutes(5)), .endsWaits)
struct ScreenHarnessTests {
  private let counter = Counter()

  @Test("a screen that binds on load passes")
  func bindsOnLoad() async throws {
    try await check { CounterScreen(counter) }
  }

  @Test("a screen that binds in init, or in a task that init starts, fails")
  func bindsInInit() async throws {
    final class BindsInInit: HostedScreen {
      private let stream: AsyncStream<Int>
      init(_ counter: Counter) { stream = counter.state.states() }
    }
    await #expect(throws: ScreenBindingError.boundInInit(observers: 1)) {
      try await check { BindsInInit(counter) }
    }

    final class StartsTaskInInit: HostedScreen {
      private let task: Task<Void, Never>
      init(_ counter: Counter) {
        task = Task { for await _ in counter.state.states() {} }
      }
      deinit { task.cancel() }
    }
    await #expect(throws: ScreenBindingError.boundInInit(observers: 1)) {
      try await check { StartsTaskInInit(counter) }
    }
    try await until { counter.state.observerCount == 0 }
  }

  @Test("a screen that never binds fails")
  func neverBinds() async throws {
    final class NeverBinds: HostedScreen {}
    await #expect(throws: ScreenBindingError.notBoundOnLoad) { try await check { NeverBinds() } }
  }

  @Test("a screen fails the check if its observers outlive the screen")
  func observersOutlive() async throws {
    final class LeaksItsTask: HostedScreen {
      static var task: Task<Void, Never>?
      private let counter: Counter
      init(_ counter: Counter) { self.counter = counter }
      func didLoad(in host: ScreenHost) {
        Self.task = Task { [counter] in for await _ in counter.state.states() {} }
      }
    }
    await #expect(throws: ScreenBindingError.boundAfterEnd(observers: 1)) {
      try await check { LeaksItsTask(counter) }
    }
    LeaksItsTask.task?.cancel()
    try await until { counter.state.observerCount == 0 }
  }

  @Test("a screen that retains its own host fails")
  func retainsItsHost() async throws {
    final class RetainsHost: HostedScreen {
      private let counter: Counter
      private var host: ScreenHost?
      init(_ counter: Counter) { self.counter = counter }
      func didLoad(in host: ScreenHost) {
        self.host = host
        host.bindings.observe(counter.state.states(), on: self) { _, _ in }
        Self.release = { [weak self] in self?.host = nil }
      }
      static var release: (@MainActor () -> Void)?
    }
    await #expect(throws: ScreenBindingError.outlivesItsHost(screen: "RetainsHost")) {
      try await check { RetainsHost(counter) }
    }
    RetainsHost.release?()
  }

  @Test("a screen that calls `hide()` of its own host fails, and the error names the illegal transition")
  func drivesItsHost() async throws {
    final class HidesItself: HostedScreen {
      private let counter: Counter
      private weak var host: ScreenHost?
      init(_ counter: Counter) { self.counter = counter }
      func didLoad(in host: ScreenHost) {
        self.host = host
        host.bindings.observe(counter.state.states(), on: self) { _, _ in }
      }
      func didAppear(animated: Bool) { try? host?.hide() }
    }
    let expected = ScreenHostError.illegalTransition(from: .hidden, to: .disappearing)
    await #expect(throws: ScreenBindingError.refused(expected)) {
      try await check { HidesItself(counter) }
    }
  }

  @Test(
    "without an `observerCount`, the check counts observers with `LiveObjects`, in debug builds only",
    .enabled(if: LiveObjects.areCounted, "a release build does not count live objects"))
  func liveObservers() async throws {
    final class BindsOnLoad: HostedScreen {
      private let counter: Counter
      private let binds: Bool
      init(_ counter: Counter, binds: Bool) {
        self.counter = counter
        self.binds = binds
      }
      func didLoad(in host: ScreenHost) {
        if binds { host.bindings.observe(counter.state.states(), on: self) { _, _ in } }
      }
    }
    final class BindsInInit: HostedScreen {
      private var observation: CancellationToken?
      init(_ counter: Counter) { observation = counter.state.states().observe(on: self) { _, _ in } }
    }
    let counter = counter
    try await ScreenHarness.assertBindsOnLoad { BindsOnLoad(counter, binds: true) }
    await #expect(throws: ScreenBindingError.notBoundOnLoad) {
      try await ScreenHarness.assertBindsOnLoad { BindsOnLoad(counter, binds: false) }
    }
    await #expect(throws: ScreenBindingError.boundInInit(observers: 1)) {
      try await ScreenHarness.assertBindsOnLoad { BindsInInit(counter) }
    }
  }

  private func check(_ make: @MainActor () -> some HostedScreen) async throws {
    let state = counter.state
    try await ScreenHarness.assertBindsOnLoad(observerCount: { state.observerCount }, make: make)
  }
}

private final class Counter: Sendable {
  let state = StateStore(0)
}

private final class CounterScreen: HostedScreen {
  private let counter: Counter

  init(_ counter: Counter) { self.counter = counter }

  func didLoad(in host: ScreenHost) {
    host.bindings.observe(counter.state.states(), on: self) { _, _ in }
  }
}
