import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

@MainActor
@Suite("Screen environment", .timeLimit(.minutes(5)), .endsWaits)
struct ScreenEnvironmentTests {
  let small = ViewportSize(width: 10, height: 20)
  let large = ViewportSize(width: 30, height: 40)

  @Test("a size reaches the screens on display once, parents first")
  func resize() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.embed(child)
      try parent.resize(to: small)
      try parent.show()
      #expect(
        screens.log.take().filter { $0.contains("Layout") } == [
          "P.willLayout 10x20", "P.didLayout 10x20", "C.willLayout 10x20", "C.didLayout 10x20",
        ])
      try parent.resize(to: small)
      #expect(screens.log.take() == [])
      try parent.resize(to: large)
      #expect(
        screens.log.take() == [
          "P.willLayout 30x40", "P.didLayout 30x40", "C.willLayout 30x40", "C.didLayout 30x40",
        ])
      for invalid in [ViewportSize(width: -1, height: 0), ViewportSize(width: 1, height: .infinity)] {
        #expect(throws: ScreenHostError.invalidSize(invalid)) { try parent.resize(to: invalid) }
      }
      #expect(parent.size == large && child.size == large)
    }
  }

  @Test(
    "a new size, a size transition and a memory warning skip a child that a sibling's hook has moved away")
  func movedBySibling() async throws {
    for hook in ["willLayout", "didLayout", "willTransition", "didReceiveMemoryWarning"] {
      try await withScreens { screens in
        let (parent, other) = (screens.host("P"), screens.host("O"))
        let (first, second) = (screens.host("1"), screens.host("2"))
        for child in [first, second] { try child.bring(to: .contained, in: parent) }
        try other.resize(to: small)
        try parent.show()
        first.recording.onHook = { [weak parent, weak other, weak second] in
          guard $0 == hook, let parent, let other else { return }
          try? second?.move(from: parent, to: other)
        }
        _ = screens.log.take()
        switch hook {
        case "willLayout", "didLayout": try parent.resize(to: large)
        case "willTransition": try parent.transition(to: large)
        default: parent.sendMemoryWarning()
        }
        let log = screens.log.take()
        #expect(log.contains("1.\(hook)" + (hook == "didReceiveMemoryWarning" ? "" : " 30x40")))
        #expect(!log.contains { $0.hasPrefix("2.\(hook)") })
        #expect(second.parent === other && second.size == small)
      }
    }
  }

  #if os(macOS) || os(Linux)
    @Test(
      "in a debug build, a parent that gives a child an invalid size stops the process with a message",
      .enabled(if: LiveObjects.areCounted, "only a debug build stops"))
    func invalidSizeOfChild() async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await MainActor.run {
          let parent = ScreenHost(SubtractingScreen())
          try parent.embed(RecordingScreen("C", in: HookLog()))
          try parent.resize(to: ViewportSize(width: 10, height: 20))
        }
      }
      let message = String(decoding: exit.standardErrorContent, as: UTF8.self)
      #expect(message.contains("SubtractingScreen gives RecordingScreen an invalid size: -10.0 × 20.0"))
    }
  #endif

  @Test(
    "in a release build, a child keeps its size if its parent gives it an invalid size",
    .enabled(if: !LiveObjects.areCounted, "a debug build stops"))
  func invalidSizeInReleaseBuild() async throws {
    try await withScreens { screens in
      let parent = screens.track(ScreenHost(screens.track(SubtractingScreen())))
      let child = screens.host("C")
      try parent.embed(child)
      try parent.resize(to: large)
      try parent.show()
      _ = screens.log.take()
      try parent.transition(to: small)
      #expect(screens.log.take() == [] && parent.size == small)
      #expect(child.size == ViewportSize(width: 10, height: 40))
    }
  }

  @Test("a memory warning reaches every loaded screen, shown or not, and no other")
  func memoryWarning() async throws {
    try await withScreens { screens in
      let tabs = try TabScreenContainer([screens.host("1"), screens.host("2"), screens.host("3")])
      let root = ScreenHost(screens.track(tabs))
      try root.show()
      try tabs.select(1)
      _ = screens.log.take()
      root.sendMemoryWarning()
      #expect(screens.log.take() == ["1.didReceiveMemoryWarning", "2.didReceiveMemoryWarning"])
    }
  }

  @Test("a memory warning reaches a loaded child of a screen that is not loaded")
  func memoryWarningOfLoadedChild() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try child.loadIfNeeded()
      try parent.embed(child)
      _ = screens.log.take()
      parent.sendMemoryWarning()
      #expect(screens.log.take() == ["C.didReceiveMemoryWarning"])
    }
  }

  @Test("a child's trait stream yields its parent's current traits and each change, and ends with the screen")
  func traits() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      let dark = ScreenTraits(style: .dark)
      try parent.setTraits(dark)
      try parent.embed(child)
      let changes = StateRecorder(child.traitChanges())
      #expect(try await changes.waitForStates(1) == [dark])
      try parent.setTraits(dark)
      let wide = ScreenTraits(horizontalSizeClass: .regular, style: .dark)
      try parent.setTraits(wide)
      try await changes.first { $0 == wide }
      #expect(child.traits == wide)
      try parent.end()
      #expect(try await changes.waitForEnd() == [dark, wide])
    }
  }

  @Test("new traits reach all descendants of a screen, shown or not")
  func traitsOfDescendants() async throws {
    try await withScreens { screens in
      let (root, shown, hidden, inner) = (
        screens.host("R"), screens.host("S"), screens.host("H"), screens.host("I")
      )
      for host in [shown, hidden] { try host.bring(to: .contained, in: root) }
      hidden.leave(animated: false)
      try shown.embed(inner)
      try root.show()
      let dark = ScreenTraits(style: .dark)
      try root.setTraits(dark)
      #expect([root, shown, hidden, inner].map(\.traits) == [dark, dark, dark, dark])
    }
  }

  @Test("keyboard changes reach a screen that appears or disappears")
  func keyboardDuringTransitions() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      let changes = StateRecorder(host.keyboardChanges())
      let (show, hide) = (KeyboardChange(.willShow, height: 300), KeyboardChange(.willHide))
      try host.drive(to: .appearing)
      host.send(show)
      try host.drive(to: .visible)
      try host.drive(to: .disappearing)
      host.send(hide)
      try host.drive(to: .hidden)
      try host.end()
      #expect(try await changes.waitForEnd() == [show, hide])
    }
  }

  @Test("a keyboard stream yields each change while the screen is on display, and ends with the screen")
  func keyboard() async throws {
    try await withScreens { screens in
      let (parent, child, hidden) = (screens.host("P"), screens.host("C"), screens.host("H"))
      for host in [child, hidden] { try host.bring(to: .contained, in: parent) }
      hidden.leave(animated: false)
      let changes = [parent, child, hidden].map { StateRecorder($0.keyboardChanges()) }
      let show = KeyboardChange(.willShow, height: 300, duration: .milliseconds(250))
      parent.send(KeyboardChange(.didHide))
      try parent.show()
      parent.send(show)
      parent.send(KeyboardChange(.didShow, height: 300))
      try parent.hide()
      parent.send(KeyboardChange(.willHide))
      try parent.end()
      for recorder in changes.prefix(2) {
        #expect(try await recorder.waitForEnd() == [show, KeyboardChange(.didShow, height: 300)])
      }
      #expect(try await changes[2].waitForEnd() == [])
    }
  }
}

/// A screen whose child is 20 points narrower. In a narrow screen, the width of the child is negative.
private final class SubtractingScreen: HostedScreen {
  func size(of child: ScreenHost, in size: ViewportSize) -> ViewportSize {
    ViewportSize(width: size.width - 20, height: size.height)
  }
}
