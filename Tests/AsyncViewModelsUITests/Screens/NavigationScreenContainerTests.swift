import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

@MainActor
@Suite("NavigationScreenContainer", .timeLimit(.minutes(5)), .endsWaits)
struct NavigationScreenContainerTests {
  @Test("a push loads the new screen, hides the old one and shows the new one")
  func push() async throws {
    try await withStack(of: "A") { stack, screens in
      try stack.push(screens.host("B"), animated: true)
      #expect(
        screens.log.take() == [
          "B.willMove", "B.didLoad", "A.willDisappear animated", "B.willAppear animated",
          "A.didDisappear animated", "B.didAppear animated", "B.didMove",
        ])
      #expect(stack.screens.count == 2)
    }
  }

  @Test("a pop shows the screen below without another load, and releases the popped screen")
  func pop() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      try stack.pop()
      #expect(
        screens.log.take() == [
          "B.willMove(nil)", "B.willDisappear", "A.willAppear", "B.didDisappear", "A.didAppear",
          "B.didMove(nil)",
        ])
      try await screens.expectSurvivors(["A"])
      #expect(throws: ScreenHostError.nothingToPop) { try stack.pop() }
      #expect(throws: ScreenHostError.nothingToPop) { _ = try stack.beginPop() }
    }
  }

  @Test("a popped screen can be pushed again and is not loaded again")
  func pushAgain() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let popped = try stack.pop()
      #expect(popped.phase == .hidden && popped.containment == .detached)
      try stack.push(popped)
      let log = screens.log.take()
      #expect(!log.contains("B.didLoad"))
      #expect(log.suffix(4) == ["B.willAppear", "A.didDisappear", "B.didAppear", "B.didMove"])
    }
  }

  @Test("in a pop to the root, the screens between the top and the root get no appearance hooks")
  func popToRoot() async throws {
    try await withStack(of: "A", "B", "C", "D") { stack, screens in
      let popped = try stack.popToRoot(animated: true)
      #expect(
        screens.log.take() == [
          "D.willMove(nil)", "C.willMove(nil)", "B.willMove(nil)", "D.willDisappear animated",
          "A.willAppear animated", "D.didDisappear animated", "A.didAppear animated", "D.didMove(nil)",
          "C.didMove(nil)", "B.didMove(nil)",
        ])
      #expect(popped.map(\.recording.name) == ["D", "C", "B"])
      #expect(try stack.popToRoot().isEmpty)
    }
  }

  @Test("a pop to a screen keeps that screen and those below it, and a pop to an unknown screen is rejected")
  func popToScreen() async throws {
    try await withStack(of: "A", "B", "C", "D") { stack, screens in
      try stack.pop(to: stack.screens[1])
      #expect(stack.screens.map(\.recording.name) == ["A", "B"])
      #expect(throws: ScreenHostError.unknownScreen) { try stack.pop(to: screens.host("X")) }
    }
  }

  @Test("a replacement of several screens shows only the new top screen, in one transition")
  func replacement() async throws {
    try await withStack(of: "A", "B", "C") { stack, screens in
      let new = [screens.host("D"), screens.host("E")]
      let removed = try stack.replaceScreens(above: stack.root, with: new, animated: true)
      #expect(
        screens.log.take() == [
          "C.willMove(nil)", "B.willMove(nil)", "D.willMove", "E.willMove", "E.didLoad",
          "C.willDisappear animated", "E.willAppear animated", "C.didDisappear animated",
          "E.didAppear animated", "C.didMove(nil)", "B.didMove(nil)", "D.didMove", "E.didMove",
        ])
      #expect(removed.map(\.recording.name) == ["C", "B"])
      #expect(stack.screens.map(\.recording.name) == ["A", "D", "E"])
      #expect(stack.screens.map(\.phase) == [.hidden, .unloaded, .visible])
      try stack.pop()
      #expect(screens.log.take().contains("D.didLoad"), "a screen is loaded when it is shown")
      #expect(stack.top.phase == .visible)
    }
  }

  @Test("a rejected replacement leaves the stack unchanged")
  func rejectedReplacements() async throws {
    for isLoaded in [true, false] {
      try await withStack(of: "A", "B", isLoaded: isLoaded) { stack, screens in
        let (new, root) = (screens.host("N"), stack.root)
        #expect(throws: ScreenHostError.unknownScreen) {
          try stack.replaceScreens(above: screens.host("X"), with: [])
        }
        for twice in [[new, new], [new, root], [stack.top]] {
          #expect(throws: ScreenHostError.duplicateScreen) {
            try stack.replaceScreens(above: root, with: twice)
          }
        }
        try screens.withUnfitScreens { screen, error in
          #expect(throws: error) { try stack.replaceScreens(above: root, with: [new, screen]) }
        }
        #expect(try stack.replaceScreens(above: stack.top, with: []).isEmpty)
        #expect(stack.screens.map(\.recording.name) == ["A", "B"])
        #expect(new.containment == .detached && new.phase == .unloaded)
      }
    }
  }

  @Test("a cancelled interactive pop hides the screen below again and brings back the top screen")
  func cancelledPop() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let pop = try stack.beginPop()
      #expect(
        screens.log.take() == ["B.willMove(nil)", "B.willDisappear animated", "A.willAppear animated"])
      try pop.cancel()
      #expect(
        screens.log.take() == [
          "A.willDisappear animated", "A.didDisappear animated", "B.willAppear animated",
          "B.didAppear animated", "B.didMove",
        ])
      #expect(stack.screens.count == 2 && stack.top.containment == .contained)
      #expect(throws: ScreenHostError.transitionEnded) { try pop.finish() }
    }
  }

  @Test("an interactive pop rejects other changes until it is finished, and then ends like any other pop")
  func finishedPop() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let pop = try stack.beginPop()
      for rejected in [
        { _ = try stack.pop() }, { try stack.push(screens.host("X")) }, { _ = try stack.beginPop() },
      ] {
        #expect(throws: ScreenHostError.transitionInProgress) { try rejected() }
      }
      _ = screens.log.take()
      try pop.finish()
      #expect(screens.log.take() == ["B.didDisappear animated", "A.didAppear animated", "B.didMove(nil)"])
      #expect(throws: ScreenHostError.transitionEnded) { try pop.cancel() }
    }
  }

  @Test("a stack that is hidden during an interactive pop cancels the pop")
  func hiddenDuringPop() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let host = try #require(stack.top.parent)
      let pop = try stack.beginPop()
      _ = screens.log.take()
      try host.hide()
      #expect(
        screens.log.take() == [
          "A.willDisappear animated", "A.didDisappear animated", "B.didMove", "B.didDisappear animated",
        ])
      #expect(throws: ScreenHostError.transitionEnded) { try pop.finish() }
      try host.show()
      #expect(screens.log.take() == ["B.willAppear", "B.didAppear"])
      try host.hide()
      #expect(throws: ScreenHostError.offDisplay(.hidden)) { _ = try stack.beginPop() }
    }
  }

  @Test(
    "an interactive pop is cancelled if an appearance hook hides the stack while the pop begins",
    arguments: [(0, "willAppear"), (1, "willDisappear")])
  func hiddenByPop(index: Int, hook: String) async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let host = try #require(stack.top.parent)
      let screen = stack.screens[index].recording
      screen.onHook = { [weak host] in if $0 == hook { try? host?.hide() } }
      #expect(throws: ScreenHostError.transitionEnded) { _ = try stack.beginPop() }
      screen.onHook = nil
      _ = screens.log.take()
      try host.show()
      #expect(screens.log.take() == ["B.willAppear", "B.didAppear"])
      #expect(stack.top.containment == .contained)
    }
  }

  @Test("an interactive pop that is released before its end, on the main actor or elsewhere, is cancelled")
  func releasedPop() async throws {
    for elsewhere in [false, true] {
      try await withStack(of: "A", "B") { stack, screens in
        @MainActor func begin() throws -> Task<Void, Never>? {
          let pop = screens.track(try stack.beginPop())
          return elsewhere ? Task.detached { withExtendedLifetime(pop) {} } : nil
        }
        await (try begin())?.value
        try await until { stack.top.phase == .visible }
        #expect(
          screens.log.take().suffix(5) == [
            "A.willDisappear animated", "A.didDisappear animated", "B.willAppear animated",
            "B.didAppear animated", "B.didMove",
          ])
        try stack.pop()
        #expect(stack.top.recording.name == "A" && stack.top.phase == .visible)
      }
    }
  }

  @Test("an interactive pop that a hook releases is cancelled after the hook, not during it")
  func releasedInHook() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let host = try #require(stack.top.parent)
      var pop: ScreenPopTransition? = screens.track(try stack.beginPop())
      stack.root.recording.onHook = { if $0 == "didReceiveMemoryWarning" { pop = nil } }
      _ = screens.log.take()
      host.sendMemoryWarning()
      #expect(pop == nil)
      #expect(screens.log.take() == ["A.didReceiveMemoryWarning", "B.didReceiveMemoryWarning"])
      #expect(throws: ScreenHostError.transitionInProgress) { try stack.pop() }
      try await until { stack.top.phase == .visible }
      #expect(stack.top.recording.name == "B" && stack.top.containment == .contained)
      try stack.pop()
    }
  }

  @Test("an interactive pop that is released after its end, or after its stack, changes nothing")
  func releasedAfterTheEnd() async throws {
    try await withStack(of: "A", "B", "C") { stack, screens in
      @MainActor func finish() throws { try screens.track(try stack.beginPop()).finish() }
      @MainActor func hide() throws {
        let pop = screens.track(try stack.beginPop())
        try stack.top.parent?.hide()
        try stack.top.parent?.show()
        withExtendedLifetime(pop) {}
      }
      try finish()
      try hide()
      let next = try stack.beginPop()
      _ = screens.log.take()
      for _ in 0..<20 { await Task.yield() }
      #expect(screens.log.take() == [], "the release of the older handles does not cancel the newer pop")
      try next.finish()
    }
    try await withScreens { screens in
      @MainActor func begin() throws -> ScreenPopTransition {
        let stack = screens.track(NavigationScreenContainer(root: screens.host("A")))
        let host = ScreenHost(stack)
        try stack.push(screens.host("B"))
        try host.show()
        return try stack.beginPop()
      }
      let pop = screens.track(try begin())
      #expect(throws: ScreenHostError.transitionEnded) { try pop.finish() }
    }
  }

  @Test("if a willMove hides the stack, the interactive pop is cancelled before anything else changes")
  func hiddenByWillMove() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let host = try #require(stack.top.parent)
      stack.top.recording.onHook = { [weak host] in if $0 == "willMove(nil)" { try? host?.hide() } }
      #expect(throws: ScreenHostError.transitionEnded) { _ = try stack.beginPop() }
      #expect(screens.log.take() == ["B.willMove(nil)", "B.willDisappear", "B.didDisappear", "B.didMove"])
      stack.top.recording.onHook = nil
      try host.show()
      #expect(screens.log.take() == ["B.willAppear", "B.didAppear"])
      try stack.pop()
    }
  }

  @Test("if a willMove ends the stack, the interactive pop throws an error")
  func endedByWillMove() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let host = try #require(stack.top.parent)
      stack.top.recording.onHook = { [weak host] in
        guard $0 == "willMove(nil)" else { return }
        try? host?.hide()
        try? host?.end()
      }
      #expect(throws: ScreenHostError.transitionEnded) { _ = try stack.beginPop() }
      #expect(screens.log.take() == ["B.willMove(nil)", "B.willDisappear", "B.didDisappear"])
      #expect(stack.top.phase == .ended)
    }
  }

  @Test(
    "while an interactive pop begins, no hook can change the stack, even after a hook has hidden the stack",
    arguments: [(0, "willAppear"), (1, "willDisappear")])
  func reentrancyOfHiddenPop(index: Int, hook: String) async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let host = try #require(stack.top.parent)
      var rejected: [ScreenHostError] = []
      for screen in stack.screens {
        screen.recording.onHook = { [weak stack, weak host] in
          guard let stack else { return }
          do throws(ScreenHostError) { try stack.push(screens.host("X")) } catch { rejected.append(error) }
          if $0 == hook, screen === stack.screens[index] { try? host?.hide() }
        }
      }
      #expect(throws: ScreenHostError.transitionEnded) { _ = try stack.beginPop() }
      for screen in stack.screens { screen.recording.onHook = nil }
      #expect(rejected.allSatisfy { $0 == .transitionInProgress })
      #expect(rejected.count == screens.log.take().count, "each hook was rejected")
      #expect(stack.screens.map(\.recording.name) == ["A", "B"])
    }
  }

  @Test(
    "in its didAppear after a cancelled pop, a screen can change the stack",
    arguments: ["pop", "popToRoot", "push", "push and popToRoot", "beginPop"])
  func changesAfterCancelledPop(change: String) async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let pop = try stack.beginPop()
      var next: ScreenPopTransition?
      stack.top.recording.onHook = { [weak stack] hook in
        guard hook == "didAppear", let stack else { return }
        #expect(throws: Never.self) {
          switch change {
          case "pop": try stack.pop()
          case "popToRoot": try stack.popToRoot()
          case "beginPop": next = try stack.beginPop()
          default: try stack.push(screens.host("C"))
          }
          if change == "push and popToRoot" { try stack.popToRoot() }
        }
      }
      try pop.cancel()
      let log = screens.log.take()
      #expect(log.count { $0 == "B.didMove" } == 1, "the removal is cancelled once")
      if change == "beginPop" {
        #expect(
          log.suffix(4) == [
            "B.didMove", "B.willMove(nil)", "B.willDisappear animated", "A.willAppear animated",
          ])
        #expect(stack.top.containment == .leaving)
        try next.take()?.finish()
      }
      #expect(stack.screens.map(\.recording.name) == (change == "push" ? ["A", "B", "C"] : ["A"]))
      #expect(stack.screens.allSatisfy { $0.containment == .contained })
      #expect(stack.top.phase == .visible)
    }
  }

  @Test("a screen that begins an interactive pop in the didAppear of its push is leaving afterwards")
  func popInDidAppearOfPush() async throws {
    try await withStack(of: "A") { stack, screens in
      let screen = screens.host("B")
      var pop: ScreenPopTransition?
      screen.recording.onHook = { [weak stack] in if $0 == "didAppear" { pop = try? stack?.beginPop() } }
      try stack.push(screen)
      #expect(screen.containment == .leaving)
      try pop.take()?.finish()
      #expect(screen.containment == .detached && stack.top.phase == .visible)
    }
  }

  @Test("the top screen of a cancelled interactive pop cannot change the stack before its didAppear")
  func reentrancyOfCancelledPop() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let pop = try stack.beginPop()
      var rejected: [ScreenHostError] = []
      stack.top.recording.onHook = { [weak stack] hook in
        guard hook == "willAppear" else { return }
        do throws(ScreenHostError) { try stack?.push(screens.host("X")) } catch { rejected.append(error) }
      }
      try pop.cancel()
      #expect(rejected == [.transitionInProgress])
      #expect(stack.screens.map(\.recording.name) == ["A", "B"])
    }
  }

  @Test("a stack that has ended rejects every change")
  func changesAfterTheEnd() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let host = try #require(stack.top.parent)
      try host.hide()
      try host.end()
      #expect(throws: ScreenHostError.ended) { try stack.pop() }
      #expect(throws: ScreenHostError.ended) { try stack.popToRoot() }
      #expect(throws: ScreenHostError.ended) { _ = try stack.beginPop() }
      #expect(throws: ScreenHostError.ended) { try stack.push(screens.host("C")) }
      #expect(stack.screens.count == 2)
    }
  }

  @Test("a stack cannot contain its own host, even before the stack loads")
  func ownHost() async throws {
    try await withScreens { screens in
      let stack = screens.track(NavigationScreenContainer(root: screens.host("A")))
      let host = ScreenHost(stack)
      #expect(throws: ScreenHostError.containsItself) { try stack.push(host) }
      #expect(stack.screens.count == 1)
    }
  }

  @Test("before a stack loads, it only stores its screens; when the stack loads, only its top screen loads")
  func beforeTheLoad() async throws {
    try await withScreens { screens in
      let stack = screens.track(NavigationScreenContainer(root: screens.host("A")))
      for name in ["B", "C", "D"] { try stack.push(screens.host(name)) }
      try stack.pop()
      #expect(screens.log.take() == [])
      #expect(throws: ScreenHostError.offDisplay(.unloaded)) { _ = try stack.beginPop() }
      try ScreenHost(stack).show()
      let log = screens.log.take()
      #expect(log.filter { $0.contains("didLoad") } == ["C.didLoad"])
      #expect(log.suffix(2) == ["C.willAppear", "C.didAppear"])
    }
  }

  @Test("a stack that is not on display changes without any appearance hook")
  func offDisplay() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      try stack.top.parent?.hide()
      _ = screens.log.take()
      try stack.push(screens.host("C"))
      try stack.pop()
      try stack.pop()
      #expect(!screens.log.take().contains { $0.contains("ppear") })
      try stack.root.parent?.show()
      #expect(screens.log.take() == ["A.willAppear", "A.didAppear"])
    }
  }

  @Test("a rejected push leaves the stack unchanged")
  func rejectedPushes() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      #expect(throws: ScreenHostError.duplicateScreen) { try stack.push(stack.root) }
      let shown = screens.host("S")
      try shown.show()
      #expect(throws: ScreenHostError.onDisplay(.visible)) { try stack.push(shown) }
      let ended = screens.host("E")
      try ended.end()
      #expect(throws: ScreenHostError.ended) { try stack.push(ended) }
      #expect(stack.screens.map(\.recording.name) == ["A", "B"])
      #expect(stack.top.phase == .visible)
    }
  }

  @Test("a screen that is pushed cannot change the stack until its didAppear runs")
  func reentrancy() async throws {
    try await withStack(of: "A") { stack, screens in
      let first = screens.host("B")
      var rejections: [String] = []
      first.recording.onHook = { [weak stack] hook in
        do {
          switch hook {
          case "didLoad", "willMove", "willAppear": try stack?.popToRoot()
          case "didAppear": try stack?.pop()
          default: break
          }
        } catch {
          rejections.append("\(hook): \(error)")
        }
      }
      try stack.push(first)
      #expect(
        rejections
          == ["willMove", "didLoad", "willAppear"].map { "\($0): Another transition is in progress." })
      #expect(stack.screens.count == 1 && stack.top.phase == .visible)
      #expect(first.containment == .detached && first.phase == .hidden)
      first.recording.onHook = nil

      let next = screens.host("C")
      let last = screens.host("D")
      next.recording.onHook = { [weak stack, weak last] hook in
        if hook == "didAppear", let last { try? stack?.push(last) }
      }
      try stack.push(next)
      #expect(stack.screens.map(\.recording.name) == ["A", "C", "D"])
      #expect(stack.screens.map(\.phase) == [.hidden, .hidden, .visible])
      #expect(stack.screens.allSatisfy { $0.containment == .contained })
    }
  }
}

/// Runs a test with a stack, which is visible unless `isLoaded` is false.
@MainActor
func withStack(
  of names: String..., isLoaded: Bool = true,
  body: @MainActor (NavigationScreenContainer, ScreenSet) async throws -> Void
) async throws {
  try await withScreens { screens in
    let stack = screens.track(NavigationScreenContainer(root: screens.host(names[0])))
    let host = screens.tracker.track(ScreenHost(stack), "host of the stack")
    if isLoaded { try host.show() }
    for name in names.dropFirst() { try stack.push(screens.host(name)) }
    _ = screens.log.take()
    try await body(stack, screens)
    withExtendedLifetime(host) {}
  }
}

extension ScreenSet {
  /// Waits until `names` are the only screens with one-letter names that are alive.
  func expectSurvivors(_ names: [String]) async throws {
    try await until { tracker.survivors.filter { $0.count == 1 } == names }
  }
}
