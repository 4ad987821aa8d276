import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing

@MainActor
@Suite("TabScreenContainer", .timeLimit(.minutes(5)), .endsWaits)
struct TabScreenContainerTests {
  @Test("a tab loads when it is first selected; the new tab begins to appear before the old one disappears")
  func select() async throws {
    try await withTabs { tabs, _, screens in
      #expect(
        screens.log.take() == [
          "A.willMove", "A.didLoad", "A.didMove", "B.willMove", "B.didMove", "C.willMove", "C.didMove",
          "A.willAppear", "A.didAppear",
        ])
      try tabs.select(2, animated: true)
      #expect(
        screens.log.take() == [
          "C.didLoad", "C.willAppear animated", "A.willDisappear animated", "A.didDisappear animated",
          "C.didAppear animated",
        ])
      try tabs.select(2)
      #expect(screens.log.take() == [])
      try tabs.select(0)
      #expect(screens.log.take() == ["A.willAppear", "C.willDisappear", "C.didDisappear", "A.didAppear"])
      #expect(tabs.tabs[1].phase == .unloaded, "a tab that is never selected is never loaded")
    }
  }

  @Test("only the selected tab appears and disappears with the container")
  func hide() async throws {
    try await withTabs { tabs, host, screens in
      try tabs.select(1)
      _ = screens.log.take()
      try host.hide()
      try tabs.select(0)
      try host.show()
      #expect(
        screens.log.take() == ["B.willDisappear", "B.didDisappear", "A.willAppear", "A.didAppear"])
    }
  }

  @Test("an unknown index throws and keeps the selection; init throws without tabs or with a repeated tab")
  func noSuchTab() async throws {
    try await withTabs { tabs, _, screens in
      for index in [-1, 3] {
        #expect(throws: ScreenHostError.noSuchTab(index, count: 3)) { try tabs.select(index) }
      }
      #expect(tabs.selectedIndex == 0 && tabs.selected.phase == .visible)
      #expect(throws: ScreenHostError.noSuchTab(0, count: 0)) { try TabScreenContainer([]) }
      let host = screens.host("D")
      #expect(throws: ScreenHostError.duplicateScreen) { try TabScreenContainer([host, host]) }
    }
  }

  @Test("a tab that has a parent, is on display or has ended is rejected")
  func unfitTabs() async throws {
    try await withScreens { screens in
      try screens.withUnfitScreens { tab, error in
        #expect(throws: error) { try TabScreenContainer([screens.host("A"), tab]) }
      }
    }
  }

  @Test("a tab cannot change the selection while it appears, but from its didAppear on it can")
  func reentrancy() async throws {
    try await withTabs { tabs, _, _ in
      var rejected: [ScreenHostError] = []
      tabs.tabs[1].recording.onHook = { [weak tabs] hook in
        do throws(ScreenHostError) {
          if hook == "willAppear" || hook == "didAppear" { try tabs?.select(2) }
        } catch {
          rejected.append(error)
        }
      }
      try tabs.select(1)
      #expect(rejected == [.transitionInProgress])
      #expect(tabs.tabs.map(\.phase) == [.hidden, .hidden, .visible])
    }
  }

  @Test("stacks in tabs keep their screens, and only a visible screen gets appearance hooks")
  func stacksInTabs() async throws {
    try await withScreens { screens in
      let left = screens.track(NavigationScreenContainer(root: screens.host("A")))
      let right = screens.track(NavigationScreenContainer(root: screens.host("X")))
      let tabs = screens.track(try TabScreenContainer([ScreenHost(left), ScreenHost(right)]))
      let host = ScreenHost(tabs)
      try host.show()
      try left.push(screens.host("B"))
      _ = screens.log.take()
      try tabs.select(1)
      #expect(
        screens.log.take() == [
          "X.willMove", "X.didLoad", "X.didMove", "X.willAppear", "B.willDisappear", "B.didDisappear",
          "X.didAppear",
        ])
      try left.pop()
      #expect(screens.log.take() == ["B.willMove(nil)", "B.didMove(nil)"])
      try tabs.select(0)
      #expect(screens.log.take() == ["A.willAppear", "X.willDisappear", "X.didDisappear", "A.didAppear"])
      try host.hide()
      #expect(screens.log.take() == ["A.willDisappear", "A.didDisappear"])
    }
  }
}

/// Runs a test with a visible container of three tabs.
@MainActor
private func withTabs(
  _ body: @MainActor (TabScreenContainer, ScreenHost, ScreenSet) async throws -> Void
) async throws {
  try await withScreens { screens in
    let tabs = screens.track(try TabScreenContainer(["A", "B", "C"].map { screens.host($0) }))
    let host = screens.track(ScreenHost(tabs))
    try host.show()
    try await body(tabs, host, screens)
  }
}
