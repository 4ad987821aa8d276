import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

@MainActor
@Suite("StateScreenContainer", .timeLimit(.minutes(5)), .endsWaits)
struct StateScreenContainerTests {
  @Test("the container hides the screen of the old case before it shows the screen of the new case")
  func swap() async throws {
    try await withStates { states, _, screens in
      #expect(screens.log.take().suffix(2) == ["idle.willAppear", "idle.didAppear"])
      states.show(ViewState<Int>.loading)
      #expect(
        screens.log.take() == [
          "idle.willDisappear", "idle.didDisappear", "loading.didLoad", "loading.willAppear",
          "loading.didAppear",
        ])
      states.show(ViewState.loaded(1))
      #expect(
        screens.log.take() == [
          "loading.willDisappear", "loading.didDisappear", "loaded.didLoad", "loaded.willAppear",
          "loaded.didAppear",
        ])
      states.show(ViewState.loaded(2))
      #expect(screens.log.take() == [], "a new value of the same case calls no hook")
      states.show(ViewState<Int>.failed(DeadlineExceeded(duration: .seconds(1))))
      states.show(ViewState<Int>.loading)
      #expect(!screens.log.take().contains("loading.didLoad"), "the screen for `loading` is loaded only once")
      #expect(states.screen(for: .empty).phase == .unloaded)
      states.show(ViewState<Int>.idle)
      #expect(states.slot == .idle && states.screen(for: .idle).phase == .visible)
    }
  }

  #if os(macOS) || os(Linux)
    @Test("two cases cannot have one screen")
    func oneScreen() async throws {
      await #expect(processExitsWith: .failure) {
        await MainActor.run {
          let screen = ScreenHost(RecordingScreen("all", in: HookLog()))
          _ = StateScreenContainer { _ in screen }
        }
      }
    }
  #endif

  @Test(
    "after each random state exactly one screen is visible, and two are never on display at once",
    arguments: 0..<5)
  func exactlyOne(seed: UInt64) async throws {
    try await withStates { states, host, screens in
      let slots = StateScreenContainer.Slot.allCases
      var overlaps = 0
      for slot in slots {
        states.screen(for: slot).recording.onHook = { [weak states] _ in
          guard let states else { return }
          if slots.count(where: { states.screen(for: $0).phase.isOnDisplay }) > 1 { overlaps += 1 }
        }
      }
      var numbers = SplitMix64(seed: seed)
      for _ in 0..<200 {
        let slot = try #require(slots.randomElement(using: &numbers))
        states.show(slot)
        let visible = slots.filter { states.screen(for: $0).phase == .visible }
        try #require(visible == [slot])
      }
      #expect(overlaps == 0)
    }
  }

  @Test("states that arrive during a swap wait for its end, and then only the last state is shown")
  func reentrancy() async throws {
    try await withStates { states, _, screens in
      states.screen(for: .loading).recording.onHook = { [weak states] hook in
        guard hook == "willAppear" else { return }
        states?.show(.empty)
        states?.show(.loaded)
      }
      _ = screens.log.take()
      states.show(.loading)
      #expect(
        screens.log.take() == [
          "idle.willDisappear", "idle.didDisappear", "loading.didLoad", "loading.willAppear",
          "loading.didAppear", "loading.willDisappear", "loading.didDisappear", "loaded.didLoad",
          "loaded.willAppear", "loaded.didAppear",
        ])
      #expect(states.slot == .loaded && states.screen(for: .empty).phase == .unloaded)
    }
  }

  @Test("a state that arrives while the container loads is shown")
  func arrivedDuringLoad() async throws {
    try await withScreens { screens in
      let states = screens.track(StateScreenContainer(screens))
      states.screen(for: .idle).recording.onHook = { [weak states] hook in
        if hook == "didLoad" { states?.show(.loaded) }
      }
      let host = screens.track(ScreenHost(states))
      try host.show()
      #expect(states.slot == .loaded)
      #expect(states.screen(for: .loaded).phase == .visible)
      #expect(!states.screen(for: .idle).phase.isOnDisplay)
    }
  }

  @Test("while the container is hidden, it loads the screen of a new case but does not show that screen")
  func offDisplay() async throws {
    try await withStates { states, host, screens in
      try host.hide()
      _ = screens.log.take()
      states.show(.empty)
      #expect(screens.log.take() == ["empty.didLoad"])
      try host.show()
      #expect(screens.log.take() == ["empty.willAppear", "empty.didAppear"])
    }
  }

  @Test("if a screen binds a view model to the container, the container shows the screen for each state")
  func bound() async throws {
    final class Catalog: Sendable {
      let state = StateStore(ViewState<[Int]>.idle)
    }
    let catalog = Catalog()
    try await withStates { states, _, screens in
      let page = ScreenHost(
        screens.track(
          RecordingScreen("page", in: HookLog()) { [weak states] host in
            host.bindings.observe(catalog.state.states(), on: host.screen) { _, state in states?.show(state)
            }
          }))
      try page.show()
      for state in [
        ViewState.loading, .loaded([1]), .empty, .failed(DeadlineExceeded(duration: .seconds(1))),
      ] {
        catalog.state.send(state)
        try await until { states.slot == StateScreenContainer.Slot(state) }
      }
    }
    try await until { catalog.state.observerCount == 0 }
  }
}

/// Runs a test with a visible container that has a screen for each case.
@MainActor
private func withStates(
  _ body: @MainActor (StateScreenContainer, ScreenHost, ScreenSet) async throws -> Void
) async throws {
  try await withScreens { screens in
    let states = screens.track(StateScreenContainer(screens))
    let host = screens.track(ScreenHost(states))
    try host.show()
    try await body(states, host, screens)
  }
}

extension StateScreenContainer {
  /// A container whose screens are called like their cases.
  fileprivate convenience init(_ screens: ScreenSet) {
    self.init { screens.host("\($0)") }
  }
}
