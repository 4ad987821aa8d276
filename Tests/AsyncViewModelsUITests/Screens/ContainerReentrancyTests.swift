import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

@MainActor
@Suite("Screens: containers that hooks change", .timeLimit(.minutes(5)), .endsWaits)
struct ContainerReentrancyTests {
  @Test(
    "a random script that begins before the load never shows two screens, each visible screen has the last size and keyboard, and hooks get the answer of a screen on display",
    arguments: ContainerScript.Kind.allCases)
  func randomScripts(kind: ContainerScript.Kind) async throws {
    for seed in 0..<300 as Range<UInt64> {
      do { try await ContainerScript.run(kind, seed: seed) } catch { Issue.record("seed \(seed): \(error)") }
    }
  }

  @Test("a screen cannot change its stack while the stack loads", arguments: ["didLoad", "willMove"])
  func stackDuringLoad(hook: String) async throws {
    try await withScreens { screens in
      let stack = screens.track(NavigationScreenContainer(root: screens.host("A")))
      try stack.push(screens.host("B"))
      var errors: [ScreenHostError] = []
      stack.top.recording.onHook = { [weak stack] in
        guard $0 == hook, let stack else { return }
        do throws(ScreenHostError) { try stack.pop() } catch { errors.append(error) }
        do throws(ScreenHostError) { try stack.push(screens.host("C")) } catch { errors.append(error) }
      }
      let host = screens.track(ScreenHost(stack))
      try host.show()
      #expect(errors == [.transitionInProgress, .transitionInProgress])
      #expect(stack.top.phase == .visible && stack.screens.count == 2)
      try stack.pop()
    }
  }

  @Test("if a hook ends the container during its load, no screen is shown and the other screens stay free")
  func endDuringLoad() async throws {
    try await withScreens { screens in
      let tabs = try TabScreenContainer([screens.host("A"), screens.host("B")])
      let host = screens.track(ScreenHost(tabs))
      tabs.selected.recording.onHook = { [weak host] in if $0 == "didLoad" { try? host?.end() } }
      #expect(throws: ScreenHostError.self) { try host.show() }
      #expect(host.phase == .ended && tabs.tabs.map(\.phase) == [.ended, .unloaded])
      #expect(tabs.tabs[1].containment == .detached)
    }
  }

  @Test("a screen that was shown or embedded elsewhere before the load is left out of the stack")
  func unfitScreens() async throws {
    try await withScreens { screens in
      let stack = screens.track(NavigationScreenContainer(root: screens.host("A")))
      let (other, moved, shown) = (screens.host("O"), screens.host("B"), screens.host("C"))
      try stack.replaceScreens(above: stack.root, with: [moved, shown])
      try other.embed(moved)
      try shown.show()
      let host = screens.track(ScreenHost(stack))
      try host.show()
      #expect(stack.screens.count == 1 && stack.top.phase == .visible)
      #expect(moved.parent === other && shown.phase == .visible)
      try shown.hide()
    }
  }

  @Test("a pop that a hook has made fail halfway can be repeated: the removal is cancelled first")
  func failedRemoval() async throws {
    try await withStack(of: "A", "B") { stack, screens in
      let (popped, new) = (stack.top, screens.host("N"))
      popped.recording.onHook = { if $0 == "willMove(nil)" { try? new.show() } }
      #expect(throws: ScreenHostError.onDisplay(.visible)) {
        try stack.replaceScreens(above: stack.root, with: [new])
      }
      #expect(stack.top === popped && popped.containment == .leaving && popped.phase == .visible)
      popped.recording.onHook = nil
      _ = screens.log.take()
      try stack.pop()
      let log = screens.log.take().filter { $0.contains("B.") && $0.contains("Move") }
      #expect(log == ["B.didMove", "B.willMove(nil)", "B.didMove(nil)"])
      #expect(popped.containment == .detached && stack.top.phase == .visible)
      try new.hide()
    }
  }

  @Test("a placeholder that a hook embeds for a removed child is replaced by the child of the outer call")
  func placeholder() async throws {
    try await withScreens { screens in
      let (parent, old, new) = (screens.host("P"), screens.host("old"), screens.host("new"))
      try parent.show()
      try parent.embed(old)
      let placeholder = screens.host("placeholder")
      var errors: [ScreenHostError] = []
      old.recording.onHook = { [weak parent] in
        guard $0 == "didMove(nil)" else { return }
        do throws(ScreenHostError) { try parent?.embed(placeholder) } catch { errors.append(error) }
        #expect(placeholder.phase == .visible)
      }
      placeholder.recording.onHook = { [weak parent] in
        guard $0 == "didMove(nil)" else { return }
        do throws(ScreenHostError) { try parent?.embed(screens.host("next")) } catch { errors.append(error) }
      }
      try parent.embed(new)
      #expect(errors == [.transitionInProgress])
      #expect(parent.children.count == 1 && new.phase == .visible)
      #expect(placeholder.containment == .detached && placeholder.phase == .hidden)
    }
  }

  @Test("a child that a layout hook removes while it enters again stays hidden")
  func removalInLayout() async throws {
    try await withScreens { screens in
      let (parent, child, other) = (screens.host("P"), screens.host("C"), screens.host("O"))
      try parent.resize(to: ViewportSize(width: 10, height: 20))
      try parent.show()
      try parent.embed(child)
      child.recording.onHook = { [weak parent, weak child] in
        guard let parent, let child else { return }
        switch $0 {
        case "willDisappear":
          try? parent.resize(to: ViewportSize(width: 30, height: 40))
          child.enter(animated: false)
        case "didLayout": try? parent.embed(other)
        default: break
        }
      }
      child.leave(animated: false)
      #expect(child.phase == .hidden && child.containment == .detached)
      #expect(screens.log.take().last { $0.hasPrefix("C.") } == "C.didMove(nil)")
      #expect(other.phase == .visible && parent.children.count == 1)
    }
  }

  @Test("a child that is being removed cannot enter again")
  func entryDuringRemoval() async throws {
    try await withScreens { screens in
      let (parent, old) = (screens.host("P"), screens.host("old"))
      try parent.show()
      try parent.embed(old)
      old.recording.onHook = { [weak old] in
        if $0 == "willDisappear" { old?.enter(animated: false) }
      }
      try parent.embed(screens.host("new"))
      #expect(old.phase == .hidden && old.containment == .detached)
    }
  }
}
