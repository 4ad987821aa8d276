#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    @MainActor
    @Suite("a view controller for a screen", .timeLimit(.minutes(5)), .endsWaits)
    struct ScreenViewControllerTests {
      @Test("the life cycle of the controller reaches the screen")
      func lifeCycle() async throws {
        try await withScreen { controller, controllers in
          controllers.window.rootViewController = controller
          controllers.window.makeKeyAndVisible()
          UIKitStandIn.advance()
          #expect(
            controllers.log.take() == [
              "screen.didLoad", "screen.willAppear", "screen.willLayout 320x480", "screen.didLayout 320x480",
              "screen.didAppear",
            ])
          #expect(controller.host.phase == .visible)
          controllers.window.rootViewController = UIViewController()
          UIKitStandIn.advance()
          #expect(controllers.log.take() == ["screen.willDisappear", "screen.didDisappear"])
          #expect(controller.host.phase == .hidden)
        }
      }

      @Test(
        "a change of size reaches the screen, with its alongside action and completion",
        arguments: [true, false])
      func sizeChange(animated: Bool) async throws {
        try await withScreen { controller, controllers in
          controllers.show(controller)
          UIKitStandIn.resize(controllers.window, to: CGSize(width: 480, height: 320), animated: animated)
          UIKitStandIn.advance()
          let log = controllers.log.take()
          #expect(
            Set(log) == [
              "screen.willTransition 480x320", "screen.alongside", "screen.willLayout 480x320",
              "screen.didLayout 480x320", "screen.completion",
            ])
          #expect(
            log.filter { $0.contains("Layout") } == ["screen.willLayout 480x320", "screen.didLayout 480x320"])
          #expect(log.first == "screen.willTransition 480x320")
          #expect(log.last == "screen.completion")
        }
      }

      @Test("traits, keyboard changes and memory warnings reach the screen")
      func environment() async throws {
        try await withScreen { controller, controllers in
          controllers.show(controller)
          var traits = controller.host.traitChanges().makeAsyncIterator()
          #expect(await traits.next()?.style == .light)
          UIKitStandIn.setTraits(UITraitCollection(userInterfaceStyle: .dark), of: controllers.window)
          #expect(await traits.next()?.style == .dark)

          var keyboard = controller.host.keyboardChanges().makeAsyncIterator()
          UIKitStandIn.showKeyboard(frame: CGRect(x: 0, y: 280, width: 320, height: 200), duration: 0.25)
          UIKitStandIn.advance()
          #expect(await keyboard.next() == change(.willShow, covered: 200, y: 280))
          #expect(await keyboard.next() == change(.didShow, covered: 200, y: 280))
          UIKitStandIn.hideKeyboard(duration: 0.25)
          UIKitStandIn.advance()
          #expect(await keyboard.next() == change(.willHide, covered: 0, y: 480))

          _ = controllers.log.take()
          let warnings = NotificationCenter.default.memoryWarnings()
          UIKitStandIn.sendMemoryWarning(to: controllers.window)
          #expect(controllers.log.take() == ["screen.didReceiveMemoryWarning"])
          var iterator = warnings.makeAsyncIterator()
          #expect(await iterator.next() != nil)
        }
      }

      @Test("before a change of size, the screen still has its old size")
      func oldSize() async throws {
        try await withScreen { controller, controllers in
          controllers.show(controller)
          var width: Double?
          (controller.host.screen as? RecordingScreen)?.onHook = { [weak controller] hook in
            if hook == "willTransition" { width = controller.map { Double($0.view.bounds.width) } }
          }
          UIKitStandIn.resize(controllers.window, to: CGSize(width: 480, height: 320), animated: true)
          #expect(width == 320)
          UIKitStandIn.advance()
        }
      }

      @Test("after two changes of size that overlap, the screen has the last size")
      func overlappingSizes() async throws {
        try await withScreen { controller, controllers in
          controllers.show(controller)
          UIKitStandIn.resize(controllers.window, to: CGSize(width: 480, height: 320), animated: true)
          UIKitStandIn.resize(controllers.window, to: CGSize(width: 600, height: 320), animated: true)
          UIKitStandIn.advance()
          #expect(controller.host.size == ViewportSize(width: 600, height: 320))
          let log = controllers.log.take()
          #expect(
            log.filter { $0.contains("completion") } == ["screen.completion cancelled", "screen.completion"])
        }
      }

      @Test("in a dark window, the screen is dark when it has appeared")
      func darkWindow() async throws {
        try await withScreen { controller, controllers in
          UIKitStandIn.setTraits(UITraitCollection(userInterfaceStyle: .dark), of: controllers.window)
          var style: ScreenTraits.Style?
          (controller.host.screen as? RecordingScreen)?.onHook = { [weak controller] hook in
            if hook == "didAppear" { style = controller?.host.traits.style }
          }
          controllers.show(controller)
          #expect(style == .dark)
        }
      }

      @Test("a step that is repeated or left out does not reach the screen as it is")
      func illegalSteps() async throws {
        try await withScreen { controller, controllers in
          controller.loadViewIfNeeded()
          controller.viewWillAppear(false)
          controller.viewWillAppear(false)
          controller.viewDidAppear(false)
          controller.viewDidDisappear(false)
          controller.viewWillDisappear(false)
          #expect(
            controllers.log.take().filter { !$0.contains("Layout") } == [
              "screen.didLoad", "screen.willAppear", "screen.didAppear", "screen.willDisappear",
              "screen.didDisappear",
            ])
        }
      }

      @Test("a released stream of traits leaves no registration")
      func traitStreams() async throws {
        try await withControllers { controllers in
          let controller = controllers.controller("A")
          for _ in 0..<10 { _ = controller.traitChanges() }
          var traits = controller.traitChanges().makeAsyncIterator()
          #expect(await traits.next()?.style == .light)
          try await until { controller.traitRegistrationCount <= 1 }
        }
      }

      @Test("the bindings of the screen end when the controller is released")
      func ownership() async throws {
        let state = StateStore(0)
        try await withScreen(bind: { [state] host in
          host.bindings.observe(state.states(), on: host) { _, _ in }
        }) { controller, controllers in
          controllers.show(controller)
          #expect(state.observerCount == 1)
        }
        try await until { state.observerCount == 0 }
      }

      @Test("the bindings of any view controller end when it is released")
      func ownBindings() async throws {
        let state = StateStore(0)
        try await withControllers { controllers in
          let controller = controllers.controller("A")
          let received = Notes()
          controller.bindings.observe(state.states(), on: controller) { _, value in received.add("\(value)") }
          try await until { received.all == ["0"] }
          state.send(1)
          try await until { received.all == ["0", "1"] }
        }
        try await until { state.observerCount == 0 }
      }

      @Test(
        "a screen that is pushed while the keyboard is there, or shown again without it, receives the keyboard"
      )
      func missedKeyboard() async throws {
        try await withControllers { controllers in
          let screens = ["A", "B"].map { controllers.tracker.track(RecordingScreen($0, in: controllers.log)) }
          let (first, second) = (ScreenViewController(screens[0]), ScreenViewController(screens[1]))
          let navigation = UINavigationController(rootViewController: first)
          controllers.show(navigation)
          var ofFirst = first.host.keyboardChanges().makeAsyncIterator()
          var ofSecond = second.host.keyboardChanges().makeAsyncIterator()
          UIKitStandIn.showKeyboard(frame: CGRect(x: 0, y: 425, width: 320, height: 200), duration: 0.25)
          UIKitStandIn.advance()
          #expect(await ofFirst.next() == change(.willShow, covered: 55, y: 425))
          #expect(await ofFirst.next() == change(.didShow, covered: 55, y: 425))
          navigation.pushViewController(second, animated: true)
          UIKitStandIn.advance()
          #expect(await ofSecond.next() == change(.didShow, covered: 55, y: 425))
          UIKitStandIn.hideKeyboard(duration: 0.25)
          UIKitStandIn.advance()
          #expect(await ofSecond.next() == change(.willHide, covered: 0, y: 625))
          #expect(await ofSecond.next() == change(.didHide, covered: 0, y: 625))
          navigation.popViewController(animated: true)
          UIKitStandIn.advance()
          #expect(await ofFirst.next() == change(.didHide, covered: 0, y: 625))
          withExtendedLifetime((first, second, navigation)) {}
        }
      }

      @Test("a screen that is shown again in the turn in which the keyboard hides receives only its end")
      func keyboardThatHasJustHidden() async throws {
        try await withControllers { controllers in
          let screens = ["A", "B"].map { controllers.tracker.track(RecordingScreen($0, in: controllers.log)) }
          let (first, second) = (ScreenViewController(screens[0]), ScreenViewController(screens[1]))
          let navigation = UINavigationController(rootViewController: first)
          controllers.show(navigation)
          var changes = first.host.keyboardChanges().makeAsyncIterator()
          UIKitStandIn.showKeyboard(frame: CGRect(x: 0, y: 425, width: 320, height: 200), duration: 0.25)
          UIKitStandIn.advance()
          #expect(await changes.next() == change(.willShow, covered: 55, y: 425))
          #expect(await changes.next() == change(.didShow, covered: 55, y: 425))
          navigation.pushViewController(second, animated: true)
          UIKitStandIn.advance()
          UIKitStandIn.hideKeyboard(duration: 0.25)
          UIKitStandIn.advance()
          navigation.popViewController(animated: true)
          UIKitStandIn.advance()
          #expect(await changes.next() == change(.didHide, covered: 0, y: 625))
          UIKitStandIn.showKeyboard(frame: CGRect(x: 0, y: 425, width: 320, height: 200), duration: 0.25)
          UIKitStandIn.advance()
          #expect(await changes.next() == change(.willShow, covered: 55, y: 425))
          withExtendedLifetime((first, second, navigation)) {}
        }
      }

      @Test(
        "the height is that of the part of the view that the keyboard covers, and the frame is the view's")
      func keyboardOverPart() async throws {
        try await withScreen { controller, controllers in
          let parent = controllers.controller("parent")
          controllers.show(parent)
          parent.addChild(controller)
          controller.view.frame = CGRect(x: 20, y: 100, width: 200, height: 300)
          parent.view.addSubview(controller.view)
          controller.didMove(toParent: parent)
          UIKitStandIn.advance()
          // As in a scroll view that has scrolled.
          controller.view.bounds.origin.y = 1_000
          var changes = controller.keyboardChanges().makeAsyncIterator()
          var received = controller.host.keyboardChanges().makeAsyncIterator()
          UIKitStandIn.showKeyboard(frame: CGRect(x: 0, y: 280, width: 320, height: 200), duration: 0.25)
          UIKitStandIn.hideKeyboard(duration: 0.25)
          UIKitStandIn.advance()
          let shown = change(.willShow, covered: 120, x: -20, y: 180)
          #expect(await changes.next() == shown)
          #expect(await received.next() == shown)
          #expect(await changes.next() == change(.willHide, covered: 0, x: -20, y: 380))
          #expect(await received.next() == change(.willHide, covered: 0, x: -20, y: 380))
        }
      }

      /// A change of a keyboard that is 320 points wide and 200 points high.
      private func change(
        _ moment: KeyboardChange.Moment, covered: Double, x: Double = 0, y: Double
      ) -> KeyboardChange {
        KeyboardChange(
          moment, height: covered, frame: KeyboardChange.Frame(x: x, y: y, width: 320, height: 200),
          duration: .seconds(0.25), curve: 7)
      }
    }
  }

  /// Runs a test with the controller of a ``RecordingScreen`` and a window.
  @MainActor
  func withScreen(
    bind: (@MainActor (ScreenHost) -> Void)? = nil,
    _ body: @MainActor (ScreenViewController, ControllerSet) async throws -> Void
  ) async throws {
    try await withControllers { controllers in
      let screen = controllers.tracker.track(RecordingScreen("screen", in: controllers.log, bind: bind))
      try await body(controllers.tracker.track(ScreenViewController(screen)), controllers)
    }
  }
#endif
