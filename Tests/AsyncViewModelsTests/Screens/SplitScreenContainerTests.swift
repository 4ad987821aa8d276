import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@MainActor
@Suite("Split container", .timeLimit(.minutes(1)))
struct SplitScreenContainerTests {
  @Test("both columns appear with the container, and share its width")
  func expanded() async throws {
    try await withSplit { split, host, screens in
      #expect(
        screens.log.take().suffix(6) == [
          "P.willAppear", "P.didLayout 300x100", "S.willAppear", "S.didLayout 500x100", "P.didAppear",
          "S.didAppear",
        ])
      try host.hide()
      #expect(
        screens.log.take() == ["P.willDisappear", "S.willDisappear", "P.didDisappear", "S.didDisappear"])
    }
  }

  @Test("to collapse hides one column and gives the other all the room; to expand takes it back")
  func collapse() async throws {
    try await withSplit { split, _, screens in
      _ = screens.log.take()
      try split.collapse(onto: .secondary)
      #expect(screens.log.take() == ["P.willDisappear", "S.didLayout 800x100", "P.didDisappear"])
      #expect(split.isCollapsed && split.isShown(.secondary) && !split.isShown(.primary))
      try split.expand(animated: true)
      #expect(
        screens.log.take() == [
          "S.didLayout 500x100", "P.willAppear animated", "P.didAppear animated",
        ])
      try split.expand()
      #expect(screens.log.take() == [])
    }
  }

  @Test("while collapsed, the columns take turns; one that was never shown is not loaded")
  func switching() async throws {
    try await withSplit(collapsedOnto: .primary) { split, _, screens in
      #expect(split.secondary.phase == .unloaded)
      _ = screens.log.take()
      try split.collapse(onto: .secondary)
      #expect(
        screens.log.take() == [
          "S.didLoad", "P.willDisappear", "S.willAppear", "S.didLayout 800x100", "P.didDisappear",
          "S.didAppear",
        ])
    }
  }

  @Test("another detail: all of the old one's end, then all of the new one's beginning")
  func replaceSecondary() async throws {
    try await withSplit { split, _, screens in
      _ = screens.log.take()
      try split.replaceSecondary(with: screens.host("T"))
      #expect(
        screens.log.take() == [
          "S.willMove(nil)", "S.willDisappear", "S.didDisappear", "S.didMove(nil)", "T.willMove", "T.didLoad",
          "T.willAppear", "T.didLayout 500x100", "T.didAppear", "T.didMove",
        ])
      try await screens.expectSurvivors(["P", "T"])
      #expect(throws: ScreenHostError.duplicateScreen) { try split.replaceSecondary(with: split.primary) }
      let ended = screens.host("E")
      try ended.end()
      #expect(throws: ScreenHostError.ended) { try split.replaceSecondary(with: ended) }
      #expect(split.secondary.phase == .visible)
    }
  }

  @Test("before the load the columns are only noted down")
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

  @Test("a column on its way cannot change the columns")
  func reentrancy() async throws {
    try await withSplit { split, _, screens in
      var refused: [ScreenHostError] = []
      split.primary.recording.onHook = { [weak split] hook in
        guard hook == "willDisappear" else { return }
        do throws(ScreenHostError) { try split?.expand() } catch { refused.append(error) }
      }
      try split.collapse(onto: .secondary)
      #expect(refused == [.transitionInProgress])
    }
  }
}

/// Gives a test two columns that are visible, 800 points wide.
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
