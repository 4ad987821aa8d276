#if canImport(UIKit) && os(Linux)
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    /// One contract for screens, for view controllers, and for the view controllers of screens: the same script leads to
    /// the same calls.
    @MainActor
    @Suite(
      "UIKit: one life-cycle contract for screens and view controllers", .timeLimit(.minutes(5)), .endsWaits)
    struct LifeCycleContractTests {
      @Test("a stack of screens and a navigation controller call the same hooks", arguments: [true, false])
      func stack(animated: Bool) async throws {
        try await withStacks { stacks in
          for stack in stacks {
            stack.push("A", animated)
            stack.push("B", animated)
            stack.pop(animated)
            stack.push("C", animated)
            stack.popToRoot(animated)
            stack.hide()
            stack.show()
          }
        }
      }

      @Test("a finished swipe back calls the hooks of an animated pop")
      func swipe() async throws {
        try await withStacks { stacks in
          for stack in stacks {
            stack.push("A", true)
            if let stack = stack as? ControllerStack { stack.swipe(finishes: true) } else { stack.pop(true) }
            stack.push("B", false)
          }
        }
      }

      @Test("a cancelled swipe back calls the same hooks of a screen and of a view controller")
      func cancelledSwipe() async throws {
        try await withStacks(ofControllers: true) { stacks in
          for stack in stacks {
            stack.push("A", true)
            (stack as? ControllerStack)?.swipe(finishes: false)
            (stack as? ControllerStack)?.swipe(finishes: true)
            stack.push("B", false)
          }
        }
      }

      @Test(
        "random scripts call the same hooks, in an order on which a screen can rely; half of them have swipes",
        arguments: 0..<20)
      func random(seed: UInt64) async throws {
        UIKitStandIn.endsAllTransitionsInAdvance = seed.isMultiple(of: 2)
        defer { UIKitStandIn.endsAllTransitionsInAdvance = false }
        let swipes = seed < 10
        try await withStacks(ofControllers: swipes) { stacks in
          for stack in stacks {
            var numbers = SplitMix64(seed: seed)
            var depth = 0
            var isShown = true
            for step in 0..<100 {
              let animated = Bool.random(using: &numbers)
              switch Int.random(in: 0..<6, using: &numbers) {
              case 0...1:
                stack.push("screen\(step)", animated && isShown)
                depth += 1
              case 2 where depth > 0:
                stack.pop(animated && isShown)
                depth -= 1
              case 3 where depth > 1:
                stack.popToRoot(animated && isShown)
                depth = 0
              case 4 where depth > 0 && isShown && swipes:
                (stack as? ControllerStack)?.swipe(finishes: animated)
                if animated { depth -= 1 }
              case 5:
                if isShown { stack.hide() } else { stack.show() }
                isShown.toggle()
              default: break
              }
            }
          }
        }
      }

      /// Runs a script on all kinds of stacks, or on those of view controllers, which can be swiped, and compares the hooks
      /// of each screen.
      private func withStacks(
        ofControllers: Bool = false, _ script: @MainActor ([any Stack]) throws -> Void
      ) async throws {
        try await LeakTracker.check { tracker in
          let screens: [any Stack] = ofControllers ? [] : [ScreenStack(tracker)]
          let stacks: [any Stack] =
            screens + [
              ControllerStack { tracker.track(RecordingViewController($0, in: $1)) },
              ControllerStack { ScreenViewController(tracker.track(RecordingScreen($0, in: $1))) },
            ]
          try script(stacks)
          let hooks = stacks.map { stack in
            Dictionary(grouping: stack.log.entries) { String($0.prefix { $0 != "." }) }
          }
          for other in hooks.dropFirst() {
            #expect(Set(hooks[0].keys) == Set(other.keys))
            for (name, entries) in hooks[0] { #expect(common(entries) == common(other[name] ?? [])) }
          }
          for entries in hooks.flatMap(\.values) {
            var checker = HookChecker()
            for hook in entries.compactMap(ScreenHook.init(entry:)) { try checker.check(hook) }
          }
          for stack in stacks { stack.close() }
        }
      }
    }
  }

  /// Returns the hooks of one screen that all kinds of stacks call in the same order.
  ///
  /// A navigation controller loads a view only when it needs the view, and only views have sizes here. Apple does not document whether a controller is
  /// told that its removal was cancelled, so that call of `didMove` does not count.
  private func common(_ entries: [String]) -> [String] {
    var isLeaving = false
    return entries.filter { entry in
      let hook = entry.drop { $0 != "." }
      if hook == ".willMove(nil)" { isLeaving = true }
      if hook == ".didMove(nil)" { isLeaving = false }
      if hook == ".didMove", isLeaving {
        isLeaving = false
        return false
      }
      return hook != ".didLoad" && !hook.contains("Layout")
    }
  }

  /// A stack of screens, or a navigation controller.
  @MainActor
  private protocol Stack {
    var log: HookLog { get }
    func push(_ name: String, _ animated: Bool)
    func pop(_ animated: Bool)
    func popToRoot(_ animated: Bool)
    func show()
    func hide()
    func close()
  }

  @MainActor
  private struct ScreenStack: Stack {
    let log = HookLog()
    let tracker: LeakTracker
    let container: NavigationScreenContainer
    let window: ScreenHost

    init(_ tracker: LeakTracker) {
      self.tracker = tracker
      container = NavigationScreenContainer(root: tracker.track(RecordingScreen("root", in: log)))
      window = ScreenHost(container)
      show()
    }

    func push(_ name: String, _ animated: Bool) {
      expect { try container.push(tracker.track(RecordingScreen(name, in: log)), animated: animated) }
    }
    func pop(_ animated: Bool) { expect { try container.pop(animated: animated) } }
    func popToRoot(_ animated: Bool) { expect { try container.popToRoot(animated: animated) } }
    func show() { expect { try window.show() } }
    func hide() { expect { try window.hide() } }
    func close() {}

    private func expect(_ body: () throws -> Void) {
      do { try body() } catch { Issue.record(error) }
    }
  }

  @MainActor
  private struct ControllerStack: Stack {
    let log = HookLog()
    let make: @MainActor (_ name: String, _ log: HookLog) -> UIViewController
    let controller: UINavigationController
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

    init(_ make: @escaping @MainActor (_ name: String, _ log: HookLog) -> UIViewController) {
      self.make = make
      controller = UINavigationController(rootViewController: make("root", log))
      show()
    }

    func push(_ name: String, _ animated: Bool) {
      controller.pushViewController(make(name, log), animated: animated)
      UIKitStandIn.advance()
    }
    func pop(_ animated: Bool) {
      controller.popViewController(animated: animated)
      UIKitStandIn.advance()
    }
    func popToRoot(_ animated: Bool) {
      controller.popToRootViewController(animated: animated)
      UIKitStandIn.advance()
    }
    func swipe(finishes: Bool) {
      guard let pop = UIKitStandIn.beginInteractivePop(of: controller) else {
        Issue.record("there is nothing to pop")
        return
      }
      if finishes { pop.finish() } else { pop.cancel() }
      UIKitStandIn.advance()
    }
    func show() {
      window.rootViewController = controller
      window.makeKeyAndVisible()
      UIKitStandIn.advance()
    }
    func hide() {
      window.rootViewController = UIViewController()
      UIKitStandIn.advance()
    }
    func close() {
      window.rootViewController = nil
      UIKitStandIn.advance()
    }
  }

  extension ScreenHook {
    /// Creates the hook of a log entry such as `"A.willAppear animated"`, or returns `nil` for a step of containment.
    init?(entry: String) {
      let animated = entry.hasSuffix(" animated")
      switch entry.split(separator: ".")[1].split(separator: " ")[0] {
      case "didLoad": self = .didLoad
      case "willAppear": self = .willAppear(animated: animated)
      case "didAppear": self = .didAppear(animated: animated)
      case "willDisappear": self = .willDisappear(animated: animated)
      case "didDisappear": self = .didDisappear(animated: animated)
      default: return nil
      }
    }
  }
#endif
