import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing

@MainActor
@Suite("SplitScreenContainer", .timeLimit(.minutes(5)), .endsWaits)
struct SplitScreenContainerTests {
  @Test("both columns appear with the container and share its width")
  func expanded() async throws {
    try await withSplit { split, host, screens in
      #expect(
        screens.log.take().suffix(8) == [
          "P.willAppear", "P.willLayout 300x100", "P.didLayout 300x100", "S.willAppear",
          "S.willLayout 500x100", "S.didLayout 500x100", "P.didAppear", "S.didAppear",
        ])
      try host.hide()
      #expect(
        screens.log.take() == ["P.willDisappear", "S.willDisappear", "P.didDisappear", "S.didDisappear"])
    }
  }

  @Test("collapsing hides one column and gives the other the full width; expanding reverts it")
  func collapse() async throws {
    try await withSplit { split, _, screens in
      _ = screens.log.take()
      try split.collapse(onto: .secondary)
      #expect(
        screens.log.take() == [
          "P.willDisappear", "S.willLayout 800x100", "S.didLayout 800x100", "P.didDisappear",
        ])
      #expect(split.isCollapsed && split.isShown(.secondary) && !split.isShown(.primary))
      try split.expand(animated: true)
      #expect(
        screens.log.take() == [
          "S.willLayout 500x100", "S.didLayout 500x100", "P.willAppear animated", "P.didAppear animated",
        ])
      try split.expand()
      #expect(screens.log.take() == [])
    }
  }

  @Test("a collapsed container shows one column at a time and does not load a column that was never shown")
  func switching() async throws {
    try await withSplit(collapsedOnto: .primary) { split, _, screens in
      #expect(split.secondary.phase == .unloaded)
      _ = screens.log.take()
      try split.collapse(onto: .secondary)
      #expect(
        screens.log.take() == [
          "S.didLoad", "P.willDisappear", "S.willAppear", "S.willLayout 800x100", "S.didLayout 800x100",
          "P.didDisappear", "S.didAppear",
        ])
    }
  }

  @Test("replacing the secondary screen removes the old one completely before it adds the new one")
  func replaceSecondary() async throws {
    try await withSplit { split, _, screens in
      _ = screens.log.take()
      try split.replaceSecondary(with: screens.host("T"))
      #expect(
        screens.log.take() == [
          "S.willMove(nil)", "S.willDisappear", "S.didDisappear", "S.didMove(nil)", "T.willMove", "T.didLoad",
          "T.willAppear", "T.willLayout 500x100", "T.didLayout 500x100", "T.didAppear", "T.didMove",
        ])
      try await screens.expectSurvivors(["P", "T"])
      #expect(throws: ScreenHostError.duplicateScreen) { try split.replaceSecondary(with: split.primary) }
      let ended = screens.host("E")
      try ended.end()
      #expect(throws: ScreenHostError.ended) { try split.replaceSecondary(with: ended) }
      #expect(split.secondary.phase == .visible)
    }
  }

  @Test("before its load, the container only stores its columns")
  func beforeTheLoad() async throws {
    try await withScreens { screens in
      let split = screens.track(
        SplitScreenContainer(primary: screens.host("P"), secondary: screens.host("S")))
      try split.replaceSecondary(with: screens.host("T"))
      try split.collapse(onto: .secondary)
      #expect(screens.log.take() == [])
      try ScreenHost(split).show()
      #expect(split.screen(in: .secondary).phase == .visible && split.primary.phase == .unloaded)
    }
  }

  @Test("a screen that has a parent, is on display or has ended cannot replace the secondary screen")
  func unfitScreens() async throws {
    try await withScreens { screens in
      let split = screens.track(
        SplitScreenContainer(primary: screens.host("P"), secondary: screens.host("S")))
      let host = screens.track(ScreenHost(split))
      for isLoaded in [false, true] {
        if isLoaded { try host.load() }
        try screens.withUnfitScreens { screen, error in
          #expect(throws: error, "loaded: \(isLoaded)") { try split.replaceSecondary(with: screen) }
        }
        #expect(split.secondary.recording.name == "S")
      }
    }
  }

  @Test("a container cannot contain its own host, before or after its load")
  func ownHost() async throws {
    try await withScreens { screens in
      let split = screens.track(
        SplitScreenContainer(primary: screens.host("P"), secondary: screens.host("S")))
      let host = screens.track(ScreenHost(split))
      #expect(throws: ScreenHostError.containsItself) { try split.replaceSecondary(with: host) }
      try host.load()
      #expect(throws: ScreenHostError.containsItself) { try split.replaceSecondary(with: host) }
      #expect(split.secondary.recording.name == "S")
    }
  }

  @Test("while the secondary screen is replaced, no hook can show the new screen")
  func replacementAgainstHooks() async throws {
    try await withSplit { split, _, screens in
      let new = screens.host("T")
      var rejected: [ScreenHostError] = []
      for screen in [split.secondary, new] {
        screen.recording.onHook = { [weak new] hook in
          guard hook == "willMove" || hook == "willDisappear" else { return }
          do throws(ScreenHostError) { try new?.show() } catch { rejected.append(error) }
        }
      }
      try split.replaceSecondary(with: new)
      #expect(rejected == [.drivenByParent, .drivenByParent])
      #expect(split.secondary === new && new.phase == .visible && new.containment == .contained)
    }
  }

  @Test("a screen in a column cannot change the columns during a transition")
  func reentrancy() async throws {
    try await withSplit { split, _, screens in
      var rejected: [ScreenHostError] = []
      split.primary.recording.onHook = { [weak split] hook in
        guard hook == "willDisappear" else { return }
        do throws(ScreenHostError) { try split?.expand() } catch { rejected.append(error) }
      }
      try split.collapse(onto: .secondary)
      #expect(rejected == [.transitionInProgress])
    }
  }
}

/// Runs a test with a visible split container, 800 points wide.
@MainActor
private func withSplit(
  collapsedOnto column: SplitScreenContainer.Column? = nil,
  _ body: @MainActor (SplitScreenContainer, ScreenHost, ScreenSet) async throws -> Void
) async throws {
  try await withScreens { screens in
    let split = screens.track(
      SplitScreenContainer(primary: screens.host("P"), secondary: screens.host("S"), collapsedOnto: column))
    let host = screens.track(ScreenHost(split))
    try host.resize(to: ViewportSize(width: 800, height: 100))
    try host.show()
    try await body(split, host, screens)
  }
}
