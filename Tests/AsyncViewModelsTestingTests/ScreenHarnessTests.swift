import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@MainActor
@Suite("The harness for screens", .timeLimit(.minutes(1)))
struct ScreenHarnessTests {
  private let counter = Counter()

  @Test("a screen that binds on load passes")
  func bindsOnLoad() async throws {
    try await check { CounterScreen(counter) }
  }

  @Test("a screen that binds in init is caught, also where init starts a task for it")
  func bindsInInit() async throws {
    final class Eager: HostedScreen {
      private let stream: AsyncStream<Int>
      init(_ counter: Counter) { stream = counter.state.stream() }
    }
    await #expect(throws: ScreenBindingError.boundInInit(observers: 1)) { try await check { Eager(counter) } }

    final class EagerTask: HostedScreen {
      private let task: Task<Void, Never>
      init(_ counter: Counter) {
        task = Task { for await _ in counter.state.stream() {} }
      }
      deinit { task.cancel() }
    }
    await #expect(throws: ScreenBindingError.boundInInit(observers: 1)) {
      try await check { EagerTask(counter) }
    }
    try await until { counter.state.observerCount == 0 }
  }

  @Test("a screen that never binds is caught")
  func neverBinds() async throws {
    final class Lazy: HostedScreen {}
    await #expect(throws: ScreenBindingError.notBoundOnLoad) { try await check { Lazy() } }
  }

  @Test("a screen whose observers outlive it is caught")
  func observersOutlive() async throws {
    final class Stray: HostedScreen {
      static var task: Task<Void, Never>?
      private let counter: Counter
      init(_ counter: Counter) { self.counter = counter }
      func didLoad(in host: ScreenHost) {
        Self.task = Task { [counter] in for await _ in counter.state.stream() {} }
      }
    }
    await #expect(throws: ScreenBindingError.boundAfterEnd(observers: 1)) {
      try await check { Stray(counter) }
    }
    Stray.task?.cancel()
    try await until { counter.state.observerCount == 0 }
  }

  @Test("a screen that keeps its own host is caught")
  func keepsItsHost() async throws {
    final class Clingy: HostedScreen {
      private let counter: Counter
      private var host: ScreenHost?
      init(_ counter: Counter) { self.counter = counter }
      func didLoad(in host: ScreenHost) {
        self.host = host
        host.bindings.observe(counter.state.stream(), on: self) { _, _ in }
        Self.release = { [weak self] in self?.host = nil }
      }
      static var release: (@MainActor () -> Void)?
    }
    await #expect(throws: ScreenBindingError.outlivesItsHost(screen: "Clingy")) {
      try await check { Clingy(counter) }
    }
    Clingy.release?()
  }

  @Test("a screen that hides itself cannot be put through its life: the error says where it stood")
  func drivesItsHost() async throws {
    final class Shy: HostedScreen {
      private let counter: Counter
      private weak var host: ScreenHost?
      init(_ counter: Counter) { self.counter = counter }
      func didLoad(in host: ScreenHost) {
        self.host = host
        host.bindings.observe(counter.state.stream(), on: self) { _, _ in }
      }
      func didAppear(animated: Bool) { try? host?.hide() }
    }
    let expected = ScreenHostError.illegalTransition(from: .hidden, to: .disappearing)
    await #expect(throws: ScreenBindingError.refused(expected)) { try await check { Shy(counter) } }
  }

  @Test(
    "without a count of observers, the live objects of a debug build tell",
    .enabled(if: LiveObjects.areCounted, "a release build counts none"))
  func liveObservers() async throws {
    final class LateScreen: HostedScreen {
      private let counter: Counter
      private let binds: Bool
      init(_ counter: Counter, binds: Bool) {
        self.counter = counter
        self.binds = binds
      }
      func didLoad(in host: ScreenHost) {
        if binds { host.bindings.observe(counter.state.stream(), on: self) { _, _ in } }
      }
    }
    final class Eager: HostedScreen {
      private var observation: CancellationToken?
      init(_ counter: Counter) { observation = counter.state.stream().observe(on: self) { _, _ in } }
    }
    let counter = counter
    try await ScreenHarness.assertBindsOnLoad { LateScreen(counter, binds: true) }
    await #expect(throws: ScreenBindingError.notBoundOnLoad) {
      try await ScreenHarness.assertBindsOnLoad { LateScreen(counter, binds: false) }
    }
    await #expect(throws: ScreenBindingError.boundInInit(observers: 1)) {
      try await ScreenHarness.assertBindsOnLoad { Eager(counter) }
    }
  }

  private func check(_ make: @MainActor () -> some HostedScreen) async throws {
    let state = counter.state
    try await ScreenHarness.assertBindsOnLoad(observerCount: { state.observerCount }, make: make)
  }
}

private final class Counter: Sendable {
  let state = ObservableState(0)
}

private final class CounterScreen: HostedScreen {
  private let counter: Counter

  init(_ counter: Counter) { self.counter = counter }

  func didLoad(in host: ScreenHost) {
    host.bindings.observe(counter.state.stream(), on: self) { _, _ in }
  }
}
