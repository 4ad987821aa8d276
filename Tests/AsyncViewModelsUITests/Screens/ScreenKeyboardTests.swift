import AsyncViewModelsTesting
import Testing

@testable import AsyncViewModelsUI

@MainActor
@Suite("Screens: the keyboard", .timeLimit(.minutes(5)), .endsWaits)
struct ScreenKeyboardTests {
  let shown = KeyboardChange(.didShow, height: 300)
  let hidden = KeyboardChange(.didHide)

  @Test(
    "the height of a change is that of the part of the screen that the keyboard covers",
    arguments: [
      (y: 425, height: 200, covered: 55), (280, 200, 200), (480, 200, 0), (500, 200, 0), (-20, 200, 180),
      (-20, 600, 480),
    ] as [(y: Double, height: Double, covered: Double)])
  func coveredHeight(y: Double, height: Double, covered: Double) {
    let size = ViewportSize(width: 320, height: 480)
    let frame = KeyboardChange.Frame(x: 0, y: y, width: 320, height: height)
    for moment in [KeyboardChange.Moment.willShow, .didShow] {
      let change = KeyboardChange(moment, frame: frame, in: size, duration: .seconds(1), curve: 7)
      #expect(
        change == KeyboardChange(moment, height: covered, frame: frame, duration: .seconds(1), curve: 7))
    }
    // A keyboard that hides, or that is beside the screen, covers nothing.
    for moment in [KeyboardChange.Moment.willHide, .didHide] {
      #expect(KeyboardChange(moment, frame: frame, in: size) == KeyboardChange(moment, frame: frame))
    }
    for x in [-320, 320] as [Double] {
      var beside = frame
      beside.x = x
      #expect(KeyboardChange(.didShow, frame: beside, in: size).height == 0)
    }
  }

  enum Container: CaseIterable, Sendable { case stack, tabs, state }

  @Test(
    "a screen that appears receives the keyboard that it has missed, and no keyboard twice",
    arguments: Container.allCases)
  func missedKeyboard(container: Container) async throws {
    try await withScreens { screens in
      let (first, second) = (screens.host("1"), screens.host("2"))
      let (root, showsSecond) = try makeContainer(container, first, second)
      let changes = [first, second].map { StateRecorder($0.keyboardChanges()) }
      try root.show()
      root.send(shown)
      try showsSecond(true)
      try showsSecond(false)
      try showsSecond(true)
      root.send(hidden)
      try showsSecond(false)
      try showsSecond(true)
      // While the whole container is hidden, too.
      try root.hide()
      root.send(shown)
      try root.show()
      try root.hide()
      try root.end()
      try second.endIfNeeded()
      #expect(try await changes[0].waitForEnd() == [shown, hidden])
      #expect(try await changes[1].waitForEnd() == [shown, hidden, shown])
    }
  }

  @Test("a keyboard that a screen has received is not sent again")
  func receivedKeyboard() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      let changes = StateRecorder(host.keyboardChanges())
      try host.show()
      for change in [hidden, shown, shown, hidden] { host.sendIfMissed(change) }
      try host.hide()
      try host.end()
      #expect(try await changes.waitForEnd() == [shown, hidden])
    }
  }

  @Test("a screen that moves from a parent with a keyboard to one without learns that there is none")
  func newParent() async throws {
    try await withScreens { screens in
      let (old, new, child) = (screens.host("old"), screens.host("new"), screens.host("C"))
      let changes = StateRecorder(child.keyboardChanges())
      try old.show()
      try new.show()
      try old.embed(child)
      old.send(shown)
      try child.move(from: old, to: new)
      try new.hide()
      try new.end()
      #expect(try await changes.waitForEnd() == [shown, hidden])
    }
  }

  @Test("a stream that is created while the keyboard covers the screen begins with the keyboard")
  func lateStream() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      try host.show()
      host.send(hidden)
      let without = StateRecorder(host.keyboardChanges())
      host.send(shown)
      let late = StateRecorder(host.keyboardChanges())
      try host.hide()
      try host.end()
      #expect(try await without.waitForEnd() == [shown])
      #expect(try await late.waitForEnd() == [shown])
      #expect(try await StateRecorder(host.keyboardChanges()).waitForEnd() == [])
    }
  }

  /// Returns the host of a container that shows the first of two screens, and a function that shows one of them.
  private func makeContainer(
    _ container: Container, _ first: ScreenHost, _ second: ScreenHost
  ) throws -> (ScreenHost, @MainActor (_ second: Bool) throws -> Void) {
    switch container {
    case .stack:
      let stack = NavigationScreenContainer(root: first)
      return (ScreenHost(stack), { if $0 { try stack.push(second) } else { try stack.pop() } })
    case .tabs:
      let tabs = try TabScreenContainer([first, second])
      return (ScreenHost(tabs), { try tabs.select($0 ? 1 : 0) })
    case .state:
      let states = StateScreenContainer { slot in
        slot == .idle ? first : slot == .loading ? second : ScreenHost(EmptyScreen())
      }
      return (ScreenHost(states), { states.show($0 ? .loading : .idle) })
    }
  }
}

private final class EmptyScreen: HostedScreen {}

extension ScreenHost {
  fileprivate func endIfNeeded() throws { if phase != .ended { try end() } }
}
