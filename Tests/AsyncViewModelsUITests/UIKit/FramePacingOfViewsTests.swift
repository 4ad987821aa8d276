#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    @MainActor
    @Suite("a pacing with the frames of a view", .timeLimit(.minutes(5)), .endsWaits)
    struct FramePacingOfViewsTests {
      private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
      private let view = UIView(frame: .zero)
      private let state = StateStore(0)

      init() {
        window.makeKeyAndVisible()
        window.addSubview(view)
      }

      @MainActor
      private final class Screen {
        var shown: [Int] = []
      }

      /// Sends values until one of them waits for an update. A value does not wait if a busy machine needs more than
      /// 100 ms from one value to the next.
      private func sendUntilOneWaits(_ state: StateStore<Int>, links: Int = 1) async throws {
        while UIKitStandIn.updateLinks < links {
          state.update { $0 += 1 }
          for _ in 0..<20 { await Task.detached {}.value }
          await Task.yield()
        }
      }

      @Test("changes are delivered as one value in the next update, and a link exists only until then")
      func updates() async throws {
        let screen = Screen()
        let token = state.states(pacing: .frames(of: view)).observe(on: screen) { $0.shown.append($1) }
        try await until { screen.shown == [0] }
        #expect(UIKitStandIn.updateLinks == 0)
        try await sendUntilOneWaits(state)
        #expect(UIKitStandIn.continuousUpdateLinks == 1)
        let before = screen.shown.count
        for _ in 1...1_000 { state.update { $0 += 1 } }
        for _ in 0..<20 { await Task.detached {}.value }
        #expect(screen.shown.count == before)
        UIKitStandIn.updateDisplay()
        #expect(UIKitStandIn.updateLinks == 0)
        try await until { screen.shown.last == state.value }
        #expect(screen.shown.count == before + 1)
        token.cancel()
      }

      @Test(
        "an observer on the main actor receives the latest value within the update", arguments: [true, false])
      func withinTheUpdate(byABinding: Bool) async throws {
        let (screen, pacing) = (Screen(), FramePacing.frames(of: view))
        // One observer, so that a link exists only while its value waits.
        let observed = byABinding ? StateMirror(state, pacing: pacing) : nil
        let token =
          observed?.bind(on: screen) { $0.shown.append($1) }
          ?? state.observe(on: screen, pacing: pacing) { $0.shown.append($1) }
        for _ in 1...3 {
          try await sendUntilOneWaits(state)
          let before = screen.shown.count
          for _ in 1...100 { state.update { $0 += 1 } }
          UIKitStandIn.updateDisplay()
          #expect(UIKitStandIn.updateLinks == 0)
          #expect(screen.shown.last == state.value)
          #expect(screen.shown.count == before + 1)
        }
        withExtendedLifetime((token, observed)) {}
      }

      @Test("an observer on the main actor that ends while its value waits ends the link")
      func endWhileWaiting() async throws {
        let screen = Screen()
        let token = state.observe(on: screen, pacing: .frames(of: view)) { $0.shown.append($1) }
        try await until { screen.shown == [0] && state.waitingCount == 1 }
        try await sendUntilOneWaits(state)
        let shown = screen.shown
        token.cancel()
        try await until { UIKitStandIn.updateLinks == 0 && state.observerCount == 0 }
        UIKitStandIn.updateDisplay()
        #expect(screen.shown == shown)
      }

      @Test("several observers share one link")
      func sharedLink() async throws {
        let pacing = FramePacing.frames(of: view)
        let (screens, states) = ([Screen(), Screen()], [StateStore(0), StateStore(0)])
        let tokens = zip(screens, states).map { screen, state in
          state.states(pacing: pacing).observe(on: screen) { $0.shown.append($1) }
        }
        try await until { screens.allSatisfy { $0.shown == [0] } }
        for state in states { try await sendUntilOneWaits(state) }
        states[1].update { $0 += 1 }
        for _ in 0..<50 { await Task.detached {}.value }
        #expect(UIKitStandIn.updateLinks <= 1)
        while screens[0].shown.last != states[0].value || screens[1].shown.last != states[1].value {
          try Task.checkCancellation()
          UIKitStandIn.updateDisplay()
          await Task.detached {}.value
          await Task.yield()
        }
        withExtendedLifetime(tokens) {}
      }

      @Test("a value that waits while the view is in no window is delivered when the view is shown again")
      func hiddenView() async throws {
        let screen = Screen()
        let token = state.states(pacing: .frames(of: view)).observe(on: screen) { $0.shown.append($1) }
        try await until { screen.shown == [0] }
        view.removeFromSuperview()
        try await sendUntilOneWaits(state)
        let before = screen.shown.count
        UIKitStandIn.updateDisplay()
        for _ in 0..<20 { await Task.detached {}.value }
        #expect(screen.shown.count == before)
        window.addSubview(view)
        UIKitStandIn.updateDisplay()
        try await until { screen.shown.last == state.value }
        token.cancel()
      }

      @Test("a cancelled observer stops waiting, and the link ends with the last observer that waits")
      func cancellation() async throws {
        let screen = Screen()
        let token = state.states(pacing: .frames(of: view)).observe(on: screen) { $0.shown.append($1) }
        try await until { screen.shown == [0] }
        try await sendUntilOneWaits(state)
        let shown = screen.shown
        token.cancel()
        try await until { UIKitStandIn.updateLinks == 0 && state.observerCount == 0 }
        UIKitStandIn.updateDisplay()
        #expect(screen.shown == shown)
      }

      @Test("a pacing does not keep its view alive, and does not delay values after its release")
      func releasedView() async throws {
        let pacing = try await LeakTracker.check { tracker in
          let view = tracker.track(UIView(frame: .zero))
          return FramePacing.frames(of: view)
        }
        let recorder = StateRecorder(state.states(pacing: pacing))
        for value in 1...20 {
          state.send(value)
          try await recorder.first { $0 == value }
        }
        #expect(UIKitStandIn.updateLinks == 0)
      }
    }
  }
#endif
