#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    @MainActor
    @Suite("a child view controller for each state", .timeLimit(.minutes(5)), .endsWaits)
    struct StateViewControllersTests {
      private struct Offline: Error {}

      @Test("the controller of the old case disappears before that of the new case appears")
      func swap() async throws {
        try await withStates { states, _, controllers in
          states.show(ViewState<Int>.loading)
          _ = controllers.log.take()
          states.show(ViewState.loaded(1))
          #expect(
            controllers.log.take() == [
              "loading.willMove(nil)", "loading.willDisappear", "loading.didDisappear",
              "loading.didMove(nil)",
              "loaded.willMove", "loaded.didLoad", "loaded.willAppear", "loaded.didAppear", "loaded.didMove",
            ])
          states.show(ViewState.loaded(2))
          #expect(controllers.log.take() == [], "a new value of the same case changes nothing")
          states.show(ViewState<Int>.failed(Offline()))
          states.show(ViewState.loaded(3))
          #expect(!controllers.log.take().contains("loaded.didLoad"), "a controller is made once")
        }
      }

      @Test("after each random state, one controller is visible", arguments: 0..<5)
      func exactlyOne(seed: UInt64) async throws {
        for fade in [Duration.zero, .seconds(1)] {
          try await withStates(fade: fade) { states, parent, _ in
            var numbers = SplitMix64(seed: seed)
            for _ in 0..<100 {
              let state = StateViewControllers.Case.allCases.randomElement(using: &numbers)!
              states.show(state)
              if Bool.random(using: &numbers) { UIKitStandIn.advance() }
            }
            UIKitStandIn.advance()
            #expect(parent.children.count == 1)
            #expect(parent.view.subviews.count == 1)
          }
        }
      }

      @Test("a state that is requested while a controller is made is shown after it")
      func requestWhileMaking() async throws {
        try await withControllers { controllers in
          let parent = controllers.controller("parent")
          controllers.show(parent)
          var states: StateViewControllers?
          states = StateViewControllers(in: parent) { state in
            if state == .loading { states?.show(ViewState.loaded(1)) }
            return controllers.controller("\(state)")
          }
          states?.show(ViewState<Int>.loading)
          #expect(parent.children.map { ($0 as? RecordingViewController)?.name } == ["loaded"])
          states = nil
        }
      }

      @Test("a parent that observes a view model shows the last state")
      func observed() async throws {
        try await withStates { states, parent, controllers in
          let model = StateStore(ViewState<Int>.idle)
          parent.bindings.observe(model.states(), on: parent) { _, state in states.show(state) }
          model.send(.loading)
          model.send(.loaded(1))
          try await until { controllers.log.entries.last == "loaded.didMove" }
        }
      }

      private func withStates(
        fade: Duration = .zero,
        _ body: @MainActor (StateViewControllers, RecordingViewController, ControllerSet) async throws -> Void
      ) async throws {
        try await withControllers { controllers in
          let parent = controllers.controller("parent")
          controllers.show(parent)
          let states = StateViewControllers(in: parent, fade: fade) { controllers.controller("\($0)") }
          try await body(controllers.tracker.track(states), parent, controllers)
        }
      }
    }
  }
#endif
