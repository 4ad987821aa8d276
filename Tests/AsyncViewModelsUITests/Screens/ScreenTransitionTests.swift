import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

@MainActor
@Suite("Screens: transitions to another size", .timeLimit(.minutes(5)), .endsWaits)
struct ScreenTransitionTests {
  let small = ViewportSize(width: 10, height: 20)
  let large = ViewportSize(width: 30, height: 40)

  @Test("a size transition runs willTransition, alongside actions, didLayout and completions, parents first")
  func transition() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.embed(child)
      try parent.show()
      _ = screens.log.take()
      let transition = try parent.beginTransition(to: large)
      #expect(
        screens.log.take() == [
          "P.willTransition 30x40", "C.willTransition 30x40", "P.alongside", "C.alongside",
        ])
      #expect(throws: ScreenHostError.transitionInProgress) { _ = try parent.beginTransition(to: small) }
      try parent.finish(transition)
      #expect(
        screens.log.take() == [
          "P.willLayout 30x40", "P.didLayout 30x40", "C.willLayout 30x40", "C.didLayout 30x40",
          "P.completion", "C.completion",
        ])
      #expect(throws: ScreenHostError.transitionEnded) { try parent.finish(transition) }
      try parent.transition(to: small)
      #expect(screens.log.take().last == "C.completion")
    }
  }

  @Test("a cancelled size transition keeps the size, and its completions learn of the cancellation")
  func cancelledTransition() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      try host.resize(to: small)
      try host.show()
      let transition = try host.beginTransition(to: large)
      _ = screens.log.take()
      host.cancel(transition)
      host.cancel(transition)
      #expect(screens.log.take() == ["A.completion cancelled"])
      #expect(host.size == small)
      #expect(throws: ScreenHostError.transitionEnded) { try host.finish(transition) }
    }
  }

  @Test("a screen that ends during a size transition cancels the transition")
  func endedTransition() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      try host.show()
      let transition = try host.beginTransition(to: large)
      try host.hide()
      _ = screens.log.take()
      try host.end()
      #expect(screens.log.take() == ["A.completion cancelled"])
      #expect(throws: ScreenHostError.transitionEnded) { try host.finish(transition) }
    }
  }

  @Test("a size transition of a screen that is hidden and gets a parent is cancelled")
  func transitionOfNewChild() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.resize(to: small)
      try parent.show()
      try child.show()
      let transition = try child.beginTransition(to: large)
      try child.hide()
      _ = screens.log.take()
      try child.willMove(to: parent)
      #expect(screens.log.take() == ["C.completion cancelled", "C.willMove"])
      try parent.add(child)
      try child.didMove(to: parent)
      #expect(throws: ScreenHostError.transitionEnded) { try child.finish(transition) }
      #expect(child.size == small && child.phase == .visible)
    }
  }

  @Test("during an embedding, no hook of an old child can finish a size transition of the new child")
  func transitionDuringEmbedding() async throws {
    try await withScreens { screens in
      let (parent, old, new) = (screens.host("P"), screens.host("old"), screens.host("new"))
      try parent.embed(old)
      try new.show()
      let transition = try new.beginTransition(to: large)
      try new.hide()
      var rejected: ScreenHostError?
      old.recording.onHook = { [weak new] in
        guard $0 == "willMove(nil)" else { return }
        do throws(ScreenHostError) { try new?.finish(transition) } catch { rejected = error }
      }
      _ = screens.log.take()
      try parent.embed(new)
      #expect(rejected == .transitionEnded && new.size == nil)
      #expect(screens.log.take().prefix(2) == ["new.completion cancelled", "old.willMove(nil)"])
    }
  }

  @Test(
    "if a completion of a cancelled size transition withdraws the new parent, nothing else is done",
    arguments: [false, true])
  func withdrawnByCompletion(embeds: Bool) async throws {
    final class WithdrawingScreen: HostedScreen {
      weak var host: ScreenHost?
      let log: HookLog
      init(_ log: HookLog) { self.log = log }
      func didLoad(in host: ScreenHost) { self.host = host }
      func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {
        coordinator.animate(completion: { [weak self] _ in try? self?.host?.willMove(to: nil) })
      }
      func willMove(to parent: ScreenHost?) { log.append(parent == nil ? "willMove(nil)" : "willMove") }
    }
    try await withScreens { screens in
      let parent = screens.host("P")
      let child = screens.track(ScreenHost(screens.track(WithdrawingScreen(screens.log))))
      try child.show()
      let transition = try child.beginTransition(to: large)
      try child.hide()
      if embeds {
        let old = screens.host("O")
        try parent.embed(old)
        _ = screens.log.take()
        #expect(throws: ScreenHostError.illegalContainment(from: .detached, to: .added)) {
          try parent.embed(child)
        }
        #expect(parent.children.map(ObjectIdentifier.init) == [ObjectIdentifier(old)])
      } else {
        try child.willMove(to: parent)
      }
      #expect(screens.log.take() == ["willMove(nil)"])
      #expect(child.containment == .detached)
      #expect(throws: ScreenHostError.transitionEnded) { try child.finish(transition) }
    }
  }

  @Test("if a willTransition ends a size transition, no alongside action runs after the completions")
  func endedByWillTransition() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.embed(child)
      try parent.show()
      child.recording.onHook = { [weak parent] hook in
        guard hook == "willTransition" else { return }
        try? parent?.hide()
        try? parent?.end()
      }
      let transition = try parent.beginTransition(to: large)
      #expect(screens.log.take().last == "P.completion cancelled")
      #expect(throws: ScreenHostError.transitionEnded) { try parent.finish(transition) }
    }
  }

  @Test(
    "transition(to:) throws and keeps the size if a willTransition hides and ends the screen, or gives it a parent",
    arguments: [true, false])
  func endedDuringTransition(ends: Bool) async throws {
    try await withScreens { screens in
      let (parent, host) = (screens.host("P"), screens.host("A"))
      try host.resize(to: small)
      try host.show()
      host.recording.onHook = { [weak parent, weak host] hook in
        guard hook == "willTransition", let parent, let host else { return }
        try? host.hide()
        if ends { try? host.end() } else { try? parent.embed(host) }
      }
      #expect(throws: ScreenHostError.transitionEnded) { try host.transition(to: large) }
      #expect(host.size == small && host.containment == (ends ? .detached : .contained))
      #expect(!screens.log.take().contains("A.alongside"))
    }
  }

  @Test("if an alongside action ends a size transition, no other action runs after the completions")
  func endedByAlongsideAction() async throws {
    final class EndsAlongside: HostedScreen {
      weak var host: ScreenHost?
      func didLoad(in host: ScreenHost) { self.host = host }
      func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {
        coordinator.animate { [weak self] _ in
          try? self?.host?.hide()
          try? self?.host?.end()
        }
      }
    }
    try await withScreens { screens in
      let parent = screens.track(ScreenHost(EndsAlongside()))
      try parent.embed(screens.host("C"))
      try parent.show()
      _ = try parent.beginTransition(to: large)
      #expect(screens.log.take().last == "C.completion cancelled")
    }
  }

  @Test("only a screen on display can begin a size transition, and only to a valid size")
  func rejectedTransitions() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      #expect(throws: ScreenHostError.offDisplay(.unloaded)) { try host.transition(to: large) }
      #expect(host.size == nil && screens.log.take() == [])
      try host.show()
      let invalid = ViewportSize(width: -1, height: 0)
      #expect(throws: ScreenHostError.invalidSize(invalid)) { try host.transition(to: invalid) }
      #expect(host.size == nil)
    }
  }

  @Test("a container cancels the size transition of a screen that it adds when it loads")
  func transitionOfNewTab() async throws {
    try await withScreens { screens in
      let (first, second) = (screens.host("1"), screens.host("2"))
      try second.show()
      let transition = try second.beginTransition(to: large)
      try second.hide()
      let tabs = try TabScreenContainer([first, second])
      let root = screens.track(ScreenHost(screens.track(tabs)))
      _ = screens.log.take()
      try root.show()
      #expect(screens.log.take().first == "2.completion cancelled")
      #expect(throws: ScreenHostError.transitionEnded) { try second.finish(transition) }
      try root.transition(to: small)
      #expect(first.size == small, "a container takes part in the transition of its screens")
    }
  }

  @Test("an animation added during a transition runs at once; one added after the transition never runs")
  func lateActions() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      let log = screens.log
      final class LateScreen: HostedScreen {
        var coordinator: ScreenTransitionCoordinator?
        func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {
          self.coordinator = coordinator
        }
      }
      let late = screens.track(LateScreen())
      try host.embed(ScreenHost(late))
      try host.show()
      let transition = try host.beginTransition(to: large, animated: false)
      let coordinator = try #require(late.coordinator)
      #expect(!coordinator.isAnimated && coordinator.size == large)
      _ = log.take()
      #expect(
        coordinator.animate { _ in
          log.append("at once")
        } completion: { _ in
          log.append("last")
        })
      #expect(log.take() == ["at once"])
      try host.finish(transition)
      #expect(log.take().suffix(2) == ["A.completion", "last"])
      #expect(
        !coordinator.animate { _ in
          log.append("too late")
        } completion: { _ in
          log.append("too late")
        })
      #expect(log.take() == [])
    }
  }
}

extension ScreenHost {
  /// Begins a change of size, as a view controller does, and runs the alongside actions.
  fileprivate func beginTransition(
    to size: ViewportSize, animated: Bool = true
  ) throws(ScreenHostError) -> ScreenTransitionCoordinator {
    let change = try announceTransition(to: size, animated: animated)
    change.run()
    return change
  }
}
