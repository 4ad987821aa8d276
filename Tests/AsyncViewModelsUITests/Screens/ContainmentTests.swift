import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

@MainActor
@Suite("Containment", .timeLimit(.minutes(5)), .endsWaits)
struct ContainmentTests {
  @Test("three steps add a child, three steps remove it, and each step calls its own hooks")
  func steps() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.show()
      _ = screens.log.take()

      try child.willMove(to: parent)
      #expect(screens.log.take() == ["C.willMove"])
      #expect(child.parent == nil)
      try parent.add(child)
      #expect(screens.log.take() == ["C.didLoad", "C.willAppear", "C.didAppear"])
      #expect(child.parent === parent)
      #expect(parent.children.map(ObjectIdentifier.init) == [ObjectIdentifier(child)])
      try child.didMove(to: parent)
      #expect(screens.log.take() == ["C.didMove"])

      try child.willMove(to: nil)
      #expect(screens.log.take() == ["C.willMove(nil)"])
      try parent.remove(child)
      #expect(screens.log.take() == ["C.willDisappear", "C.didDisappear"])
      #expect(child.parent === parent)
      try child.removeFromParent()
      #expect(screens.log.take() == ["C.didMove(nil)"])
      #expect(child.parent == nil)
      #expect(parent.children.isEmpty)
      #expect(child.phase == .hidden, "a removed screen stays loaded")
    }
  }

  @Test(
    "a step cannot be skipped or repeated, and the error names both phases",
    arguments: ScreenContainmentPhase.allCases)
  func skippedSteps(phase: ScreenContainmentPhase) async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.show()
      try child.bring(to: phase, in: parent)
      let steps: [(ScreenContainmentPhase, @MainActor () throws(ScreenHostError) -> Void)] = [
        (.joining, { () throws(ScreenHostError) in try child.willMove(to: parent) }),
        (.added, { () throws(ScreenHostError) in try parent.add(child) }),
        (.contained, { () throws(ScreenHostError) in try child.didMove(to: parent) }),
        (.leaving, { () throws(ScreenHostError) in try child.willMove(to: nil) }),
        (.removed, { () throws(ScreenHostError) in try parent.remove(child) }),
        (.detached, { () throws(ScreenHostError) in try child.removeFromParent() }),
      ]
      let next: [ScreenContainmentPhase: [ScreenContainmentPhase]] = [
        .detached: [.joining], .joining: [.added, .leaving], .added: [.contained],
        .contained: [.leaving], .leaving: [.removed, .contained], .removed: [.detached],
      ]
      _ = screens.log.take()
      for (target, step) in steps where try !#require(next[phase]).contains(target) {
        #expect(throws: ScreenHostError.illegalContainment(from: phase, to: target)) { try step() }
        #expect(child.containment == phase)
      }
      #expect(screens.log.take() == [])
    }
  }

  @Test("willMove(to: nil) withdraws a child that was not added yet, and didMove(to:) keeps a leaving child")
  func cancelledMoves() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try child.willMove(to: parent)
      try child.willMove(to: nil)
      #expect(child.containment == .detached)
      try child.bring(to: .leaving, in: parent)
      try child.didMove(to: parent)
      #expect(child.containment == .contained)
      let moves = screens.log.take().filter { $0.contains("Move") }
      #expect(
        moves == ["C.willMove", "C.willMove(nil)", "C.willMove", "C.didMove", "C.willMove(nil)", "C.didMove"])
    }
  }

  @Test("a step that names another parent is rejected")
  func wrongParent() async throws {
    try await withScreens { screens in
      let (parent, other, child) = (screens.host("P"), screens.host("O"), screens.host("C"))
      try child.willMove(to: parent)
      #expect(throws: ScreenHostError.wrongParent) { try other.add(child) }
      try parent.add(child)
      #expect(throws: ScreenHostError.wrongParent) { try child.didMove(to: other) }
      try child.didMove(to: parent)
      try child.willMove(to: nil)
      #expect(throws: ScreenHostError.wrongParent) { try other.remove(child) }
      #expect(child.containment == .leaving)
    }
  }

  @Test("a screen cannot contain itself or a screen that contains it")
  func cycles() async throws {
    try await withScreens { screens in
      let (grandparent, parent, child) = (screens.host("G"), screens.host("P"), screens.host("C"))
      try grandparent.embed(parent)
      try parent.embed(child)
      for host in [grandparent, parent, child] {
        #expect(throws: ScreenHostError.containsItself) { try host.willMove(to: child) }
      }
      // Two screens that are each announced as a child of the other would be a cycle, too.
      let (left, right) = (screens.host("L"), screens.host("R"))
      try left.willMove(to: right)
      #expect(throws: ScreenHostError.containsItself) { try right.willMove(to: left) }
    }
  }

  @Test("an ended screen cannot become a child or a parent, and a screen on display cannot become a child")
  func unfitChildren() async throws {
    try await withScreens { screens in
      let (parent, ended, shown) = (screens.host("P"), screens.host("E"), screens.host("S"))
      try ended.end()
      try shown.show()
      #expect(throws: ScreenHostError.ended) { try parent.embed(ended) }
      #expect(throws: ScreenHostError.ended) { try parent.willMove(to: ended) }
      #expect(throws: ScreenHostError.onDisplay(.visible)) { try parent.embed(shown) }
    }
  }

  @Test("between willMove(to: parent) and willMove(to: nil), a screen can be loaded, but not shown or ended")
  func drivenAfterAnnouncement() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try child.willMove(to: parent)
      try child.loadIfNeeded()
      #expect(throws: ScreenHostError.drivenByParent) { try child.show() }
      #expect(throws: ScreenHostError.drivenByParent) { try child.end() }
      #expect(child.containment == .joining && child.phase == .loaded)
      try child.willMove(to: nil)
      try child.show()
      #expect(child.phase == .visible)
    }
  }

  @Test(
    "if the parent ends after willMove(to: parent), the child can only be withdrawn with willMove(to: nil)")
  func endedAfterAnnouncement() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try child.willMove(to: parent)
      try parent.end()
      #expect(throws: ScreenHostError.ended) { try parent.add(child) }
      #expect(parent.children.isEmpty && child.containment == .joining)
      try child.willMove(to: nil)
      #expect(child.containment == .detached)
    }
  }

  @Test("a child rejects direct calls to show, hide, end or resize it, or to set its traits")
  func drivenByParent() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.embed(child)
      #expect(throws: ScreenHostError.drivenByParent) { try child.show() }
      #expect(throws: ScreenHostError.drivenByParent) { try child.hide() }
      #expect(throws: ScreenHostError.drivenByParent) { try child.end() }
      #expect(throws: ScreenHostError.drivenByParent) {
        try child.resize(to: ViewportSize(width: 1, height: 1))
      }
      #expect(throws: ScreenHostError.drivenByParent) { try child.setTraits(ScreenTraits()) }
      #expect(throws: ScreenHostError.drivenByParent) {
        try child.transition(to: ViewportSize(width: 1, height: 1))
      }
      #expect(child.phase == .unloaded)
    }
  }

  @Test("children appear and disappear with their parent, whose hook is called first")
  func forwarding() async throws {
    try await withScreens { screens in
      let (parent, first, second) = (screens.host("P"), screens.host("1"), screens.host("2"))
      for child in [first, second] { try child.bring(to: .contained, in: parent) }
      _ = screens.log.take()
      try parent.drive(to: .appearing, animated: true)
      #expect(
        screens.log.take() == [
          "P.didLoad", "1.didLoad", "2.didLoad", "P.willAppear animated", "1.willAppear animated",
          "2.willAppear animated",
        ])
      try parent.drive(to: .visible)
      #expect(screens.log.take() == ["P.didAppear animated", "1.didAppear animated", "2.didAppear animated"])
      try parent.drive(to: .disappearing)
      try parent.drive(to: .appearing)
      try parent.drive(to: .visible)
      try parent.hide()
      #expect(
        screens.log.take() == [
          "P.willDisappear", "1.willDisappear", "2.willDisappear", "P.willAppear", "1.willAppear",
          "2.willAppear", "P.didAppear", "1.didAppear", "2.didAppear", "P.willDisappear",
          "1.willDisappear", "2.willDisappear", "P.didDisappear", "1.didDisappear", "2.didDisappear",
        ])
    }
  }

  @Test("a child that is added while its parent appears finishes appearing with the parent")
  func addedDuringAppearance() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.drive(to: .appearing)
      try parent.embed(child)
      #expect(child.phase == .appearing)
      try parent.drive(to: .visible)
      #expect(child.phase == .visible)
      try parent.drive(to: .disappearing)
      let late = screens.host("L")
      try parent.embed(late)
      #expect(late.phase == .loaded)
      #expect(child.phase == .hidden)
    }
  }

  @Test("a child that a hook of its load hides does not appear")
  func hiddenDuringLoad() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.show()
      child.recording.onHook = { [weak child] in if $0 == "didLoad" { child?.leave(animated: false) } }
      try child.bring(to: .contained, in: parent)
      #expect(screens.log.take().filter { $0.hasPrefix("C.") } == ["C.willMove", "C.didLoad", "C.didMove"])
      #expect(child.phase == .loaded && child.containment == .contained)
    }
  }

  @Test("a child that leaves stays contained, and hidden until it enters again")
  func leave() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.show()
      try parent.embed(child)
      child.leave(animated: false)
      #expect(child.phase == .hidden)
      try parent.hide()
      try parent.show()
      #expect(child.phase == .hidden)
      child.enter(animated: true)
      #expect(screens.log.take().suffix(2) == ["C.willAppear animated", "C.didAppear animated"])
      #expect(child.containment == .contained)
    }
  }

  @Test("a child that a sibling's hook moves to a hidden parent does not appear with its former parent")
  func movedBySibling() async throws {
    try await withScreens { screens in
      let (parent, other) = (screens.host("P"), screens.host("O"))
      let (first, second) = (screens.host("1"), screens.host("2"))
      for child in [first, second] { try child.bring(to: .contained, in: parent) }
      first.recording.onHook = { [weak parent, weak other, weak second] hook in
        guard hook == "willAppear", let parent, let other else { return }
        try? second?.move(from: parent, to: other)
      }
      try parent.show()
      #expect(!screens.log.take().contains("2.willAppear"))
      #expect(second.parent === other && second.phase == .loaded)
    }
  }

  @Test("a child that moves to another parent while its parent ends does not end")
  func movedDuringEnd() async throws {
    try await withScreens { screens in
      let (parent, other, child) = (screens.host("P"), screens.host("O"), screens.host("C"))
      try parent.embed(child)
      try parent.show()
      parent.recording.onHook = { [weak parent] in if $0 == "didDisappear" { try? parent?.end() } }
      child.recording.onHook = { [weak parent, weak other, weak child] hook in
        guard hook == "didDisappear", let parent, let other else { return }
        try? child?.move(from: parent, to: other)
      }
      try parent.hide()
      #expect(parent.phase == .ended && parent.children.isEmpty)
      #expect(child.parent === other && child.containment == .contained && child.phase == .hidden)
      child.recording.onHook = nil
      try other.show()
      #expect(child.phase == .visible)
      try other.embed(screens.host("N"))
      #expect(child.containment == .detached && other.children.count == 1)
    }
  }

  @Test("a child whose parent was deallocated has no parent and can be embedded again")
  func orphan() async throws {
    try await withScreens { screens in
      let child = screens.host("C")
      @MainActor func adopt() throws {
        let parent = screens.host("P")
        try parent.embed(child)
        try parent.show()
      }
      try adopt()
      #expect(child.parent == nil && child.containment == .detached)
      try child.hide()
      let next = screens.host("N")
      try next.embed(child)
      #expect(child.parent === next)
    }
  }

  @Test("a child whose deallocated parent showed it stays hidden if another parent adds it as a hidden child")
  func hiddenOrphan() async throws {
    try await withScreens { screens in
      let (tab, covered) = (screens.host("tab"), screens.host("covered"))
      for child in [tab, covered] { try screens.host("P").embed(child) }
      let tabs = screens.track(try TabScreenContainer([screens.host("A"), tab]))
      let stack = screens.track(NavigationScreenContainer(root: covered))
      try stack.push(screens.host("B"))
      let root = screens.host("R")
      for container in [ScreenHost(tabs), ScreenHost(stack)] {
        try screens.track(container).bring(to: .contained, in: root)
      }
      try root.show()
      #expect(tab.phase == .unloaded)
      #expect(covered.phase == .unloaded)
      try tabs.select(1)
      try stack.pop()
      #expect(tab.phase == .visible && covered.phase == .visible)
    }
  }
}

extension ScreenHost {
  /// Takes all steps that remove this host from `parent`, and embeds it in `other`.
  func move(from parent: ScreenHost, to other: ScreenHost) throws(ScreenHostError) {
    try willMove(to: nil)
    try parent.remove(self)
    try removeFromParent()
    try other.embed(self)
  }

  /// Brings a detached host to a phase of its containment.
  func bring(to phase: ScreenContainmentPhase, in parent: ScreenHost) throws(ScreenHostError) {
    let steps: [(ScreenContainmentPhase, @MainActor () throws(ScreenHostError) -> Void)] = [
      (.joining, { () throws(ScreenHostError) in try self.willMove(to: parent) }),
      (.added, { () throws(ScreenHostError) in try parent.add(self) }),
      (.contained, { () throws(ScreenHostError) in try self.didMove(to: parent) }),
      (.leaving, { () throws(ScreenHostError) in try self.willMove(to: nil) }),
      (.removed, { () throws(ScreenHostError) in try parent.remove(self) }),
    ]
    guard phase != .detached else { return }
    for (reached, step) in steps {
      try step()
      if reached == phase { return }
    }
  }
}
