#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    @MainActor
    @Suite("the moves of a view controller for a screen", .timeLimit(.minutes(5)), .endsWaits)
    struct ScreenMovesTests {
      @Test("the moves of the controller reach the screen, each once, with the parent's host")
      func moves() async throws {
        try await withScreen { controller, controllers in
          let outer = ScreenViewController(RecordingScreen("outer", in: controllers.log))
          let screen = try #require(controller.host.screen as? RecordingScreen)
          var hooks: [String] = []
          screen.onHook = { hooks.append($0) }
          controllers.show(outer)
          controller.willMove(toParent: outer)
          outer.addChild(controller)
          outer.view.addSubview(controller.view)
          controller.didMove(toParent: outer)
          controller.didMove(toParent: outer)
          #expect(hooks.filter { $0.contains("Move") } == ["willMove", "didMove"])
          hooks = []
          controller.willMove(toParent: nil)
          controller.willMove(toParent: nil)
          controller.view.removeFromSuperview()
          controller.removeFromParent()
          controller.didMove(toParent: nil)
          #expect(hooks.filter { $0.contains("Move") } == ["willMove(nil)", "didMove(nil)"])
        }
      }

      @Test("if UIKit leaves out an announcement of a move, the screen still receives it")
      func missingMoves() async throws {
        try await withScreen { controller, controllers in
          let parents = ["A", "B"].map { controllers.controller($0) }
          for parent in parents {
            parent.addChild(controller)
            controller.didMove(toParent: parent)
          }
          // The announcement of a parent is withdrawn.
          controller.removeFromParent()
          parents[0].addChild(controller)
          controller.removeFromParent()
          #expect(
            controllers.log.take().filter { $0.hasPrefix("screen") } == [
              "screen.willMove", "screen.didMove", "screen.willMove(nil)", "screen.didMove(nil)",
              "screen.willMove", "screen.didMove", "screen.willMove(nil)", "screen.didMove(nil)",
              "screen.willMove", "screen.willMove(nil)",
            ])
          withExtendedLifetime(parents) {}
        }
      }

      @Test("the hooks of a move receive the host of the parent, which stays the same during the move")
      func parentOfMoves() async throws {
        try await withControllers { controllers in
          let screen = controllers.tracker.track(ParentRecorder())
          let controller = ScreenViewController(screen)
          let outer = ScreenViewController(
            controllers.tracker.track(RecordingScreen("outer", in: controllers.log)))
          let others = [outer, controllers.controller("A")]
          for parent in others {
            parent.addChild(controller)
            controller.didMove(toParent: parent)
            controller.willMove(toParent: nil)
            controller.removeFromParent()
          }
          #expect(screen.parents.count == 8)
          #expect(screen.parents[0] === outer.host && screen.parents[1] === outer.host)
          #expect(screen.parents[4] != nil && screen.parents[4] === screen.parents[5])
          #expect([2, 3, 6, 7].allSatisfy { screen.parents[$0] == nil })
        }
      }

      @Test("a screen whose host has a parent receives only the moves of the host")
      func movesOfHost() async throws {
        try await withScreen { controller, controllers in
          let parent = ScreenHost(RecordingScreen("parent", in: controllers.log))
          try parent.embed(controller.host)
          let outer = controllers.controller("outer")
          outer.addChild(controller)
          controller.didMove(toParent: outer)
          controller.willMove(toParent: nil)
          controller.removeFromParent()
          #expect(controllers.log.take() == ["screen.willMove", "screen.didMove"])
          try parent.end()
        }
      }
    }
  }

  /// A screen that keeps the parents that its hooks receive.
  @MainActor
  private final class ParentRecorder: HostedScreen {
    private(set) var parents: [ScreenHost?] = []
    func willMove(to parent: ScreenHost?) { parents.append(parent) }
    func didMove(to parent: ScreenHost?) { parents.append(parent) }
  }
#endif
