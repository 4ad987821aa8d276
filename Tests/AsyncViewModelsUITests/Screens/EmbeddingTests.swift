import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

@MainActor
@Suite("Containment: embedding", .timeLimit(.minutes(5)), .endsWaits)
struct EmbeddingTests {
  @Test("embedding removes the old child completely before it adds the new one")
  func embed() async throws {
    try await withScreens { screens in
      let (parent, old, new) = (screens.host("P"), screens.host("old"), screens.host("new"))
      try parent.show()
      try parent.embed(old)
      _ = screens.log.take()
      try parent.embed(new)
      let expected = [
        "old.willMove(nil)", "old.willDisappear", "old.didDisappear", "old.didMove(nil)",
        "new.willMove", "new.didLoad", "new.willAppear", "new.didAppear", "new.didMove",
      ]
      #expect(screens.log.take() == expected)
      try parent.embed(new)
      #expect(screens.log.take() == [], "embedding the same child again changes nothing")
      #expect(throws: ScreenHostError.containsItself) { try parent.embed(parent) }
      #expect(parent.children.count == 1 && new.phase == .visible, "a rejected embedding changes nothing")
      try parent.embed(old)
      #expect(!screens.log.take().contains("old.didLoad"), "the old child was loaded before")
    }
  }

  @Test("a child between two steps of its containment cannot be replaced")
  func embedBetweenSteps() async throws {
    try await withScreens { screens in
      let (parent, old, new) = (screens.host("P"), screens.host("old"), screens.host("new"))
      let sibling = screens.host("sibling")
      try parent.show()
      try old.bring(to: .added, in: parent)
      try sibling.bring(to: .contained, in: parent)
      #expect(throws: ScreenHostError.illegalContainment(from: .added, to: .leaving)) {
        try parent.embed(new)
      }
      #expect(old.containment == .added && old.phase == .visible && new.containment == .detached)
      #expect(sibling.containment == .contained && sibling.phase == .visible)
    }
  }

  @Test(
    "during an embedding, no hook can show, end or move the new child",
    arguments: [("new", "willMove"), ("old", "willDisappear"), ("old", "didMove(nil)")])
  func embedAgainstHooks(name: String, hook: String) async throws {
    try await withScreens { screens in
      let (parent, other) = (screens.host("P"), screens.host("O"))
      let (old, new) = (screens.host("old"), screens.host("new"))
      try parent.show()
      try parent.embed(old)
      var rejected: [ScreenHostError] = []
      (name == "old" ? old : new).recording.onHook = { [weak new, weak other] in
        guard $0 == hook, let new, let other else { return }
        do throws(ScreenHostError) { try new.show() } catch { rejected.append(error) }
        do throws(ScreenHostError) { try new.end() } catch { rejected.append(error) }
        do throws(ScreenHostError) { try other.embed(new) } catch { rejected.append(error) }
      }
      try parent.embed(new)
      let joining = ScreenHostError.illegalContainment(from: .joining, to: .joining)
      #expect(rejected == [.drivenByParent, .drivenByParent, joining])
      #expect(new.parent === parent && new.phase == .visible && new.containment == .contained)
      #expect(parent.children.count == 1 && old.containment == .detached)
    }
  }

  @Test("if a hook ends the parent during an embedding, the new child stays without a parent")
  func endedDuringEmbedding() async throws {
    try await withScreens { screens in
      let (parent, old, new) = (screens.host("P"), screens.host("old"), screens.host("new"))
      try parent.show()
      try parent.embed(old)
      old.recording.onHook = { [weak parent] hook in
        guard hook == "didMove(nil)" else { return }
        try? parent?.hide()
        try? parent?.end()
      }
      #expect(throws: ScreenHostError.ended) { try parent.embed(new) }
      #expect(new.containment == .detached && new.phase == .unloaded)
    }
  }

  @Test("if a hook moves an old child to another parent during an embedding, the new child is still embedded")
  func removedDuringEmbedding() async throws {
    try await withScreens { screens in
      let (parent, other, new) = (screens.host("P"), screens.host("O"), screens.host("new"))
      let (first, second) = (screens.host("1"), screens.host("2"))
      for child in [first, second] { try child.bring(to: .contained, in: parent) }
      try parent.show()
      second.recording.onHook = { [weak parent, weak other, weak first] hook in
        guard hook == "willDisappear", let parent, let other else { return }
        try? first?.move(from: parent, to: other)
      }
      try parent.embed(new)
      #expect(new.phase == .visible && second.containment == .detached)
      #expect(first.parent === other)
    }
  }
}
