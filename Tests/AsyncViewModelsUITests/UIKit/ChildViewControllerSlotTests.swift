#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    @MainActor
    @Suite("a slot for a child view controller", .timeLimit(.minutes(5)), .endsWaits)
    struct ChildViewControllerSlotTests {
      @Test("a child is added in all steps, fills the view, and is resized with it")
      func first() async throws {
        try await withSlot { slot, parent, controllers in
          let a = controllers.controller("A")
          slot.show(a)
          #expect(
            controllers.log.take() == ["A.willMove", "A.didLoad", "A.willAppear", "A.didAppear", "A.didMove"])
          #expect(slot.child === a)
          #expect(parent.children == [a])
          #expect(a.view.frame == parent.view.bounds)
          UIKitStandIn.resize(controllers.window, to: CGSize(width: 480, height: 320), animated: false)
          #expect(a.view.frame == CGRect(x: 0, y: 0, width: 480, height: 320))
          slot.show(a)
          #expect(controllers.log.take() == [])
        }
      }

      @Test("without a fade, the old child is removed in all steps before the new one is added")
      func replacement() async throws {
        try await withSlot { slot, parent, controllers in
          let (a, b) = (controllers.controller("A"), controllers.controller("B"))
          slot.show(a)
          _ = controllers.log.take()
          slot.show(b)
          #expect(
            controllers.log.take() == [
              "A.willMove(nil)", "A.willDisappear", "A.didDisappear", "A.didMove(nil)", "B.willMove",
              "B.didLoad",
              "B.willAppear", "B.didAppear", "B.didMove",
            ])
          #expect(parent.children == [b])
          #expect(parent.view.subviews == [b.view])
          slot.show(nil)
          #expect(
            controllers.log.take() == [
              "B.willMove(nil)", "B.willDisappear", "B.didDisappear", "B.didMove(nil)",
            ])
          #expect(slot.child == nil)
          #expect(parent.children == [])
        }
      }

      @Test("with a fade, the old child is removed when the fade ends")
      func fade() async throws {
        try await withSlot { slot, parent, controllers in
          let (a, b) = (controllers.controller("A"), controllers.controller("B"))
          slot.show(a, fade: .seconds(1))
          #expect(UIKitStandIn.pendingAnimations == 0, "there is nothing to fade from")
          _ = controllers.log.take()
          slot.show(b, fade: .seconds(1))
          #expect(
            controllers.log.take() == [
              "A.willMove(nil)", "B.willMove", "B.didLoad", "B.willAppear", "B.didAppear",
            ])
          #expect(parent.view.subviews == [a.view, b.view])
          UIKitStandIn.advance()
          #expect(
            controllers.log.take() == ["A.willDisappear", "A.didDisappear", "A.didMove(nil)", "B.didMove"])
          #expect(parent.view.subviews == [b.view])
          #expect(b.view.alpha == 1)
        }
      }

      @Test("a replacement during a fade ends the fade first", arguments: [Duration.zero, .seconds(1)])
      func replacementDuringAFade(second: Duration) async throws {
        try await withSlot { slot, parent, controllers in
          let (a, b, c) = (
            controllers.controller("A"), controllers.controller("B"), controllers.controller("C")
          )
          slot.show(a)
          slot.show(b, fade: .seconds(1))
          slot.show(c, fade: second)
          #expect(a.parent == nil)
          UIKitStandIn.advance()
          #expect(parent.children == [c])
          #expect(parent.view.subviews == [c.view])
          let log = controllers.log.take()
          for name in ["A", "B"] {
            #expect(log.filter { $0.hasPrefix(name) }.last == "\(name).didMove(nil)")
            #expect(log.count { $0 == "\(name).didDisappear" } == 1)
          }
          #expect(log.count { $0 == "B.didMove" } == 1)
          #expect(log.last == "C.didMove")
        }
      }

      @Test("the old child can return during its fade")
      func returnDuringAFade() async throws {
        try await withSlot { slot, parent, controllers in
          let (a, b) = (controllers.controller("A"), controllers.controller("B"))
          slot.show(a)
          slot.show(b, fade: .seconds(1))
          slot.show(a, fade: .seconds(1))
          UIKitStandIn.advance()
          #expect(parent.children == [a])
          #expect(parent.view.subviews == [a.view])
          #expect(a.view.alpha == 1)
        }
      }

      @Test("a child that has another parent is moved, and the other slot is then empty")
      func move() async throws {
        try await withSlot { slot, parent, controllers in
          let a = controllers.controller("A")
          let side = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
          parent.view.addSubview(side)
          let other = ChildViewControllerSlot(in: parent, view: side)
          other.show(a)
          _ = controllers.log.take()
          slot.show(a)
          #expect(other.child == nil)
          other.show(nil)
          #expect(slot.child === a, "a slot does not remove the child of another slot")
          #expect(
            controllers.log.take() == [
              "A.willMove(nil)", "A.willDisappear", "A.didDisappear", "A.didMove(nil)", "A.willMove",
              "A.willAppear",
              "A.didAppear", "A.didMove",
            ])
          #expect(parent.children == [a])

          let stranger = controllers.controller("stranger")
          let third = ChildViewControllerSlot(in: stranger)
          third.show(a)
          #expect(slot.child == nil)
          #expect(a.parent === stranger)
          slot.show(nil)
          #expect(a.parent === stranger, "a slot does not remove a child that it no longer has")
        }
      }

      @Test(
        "a child that is requested while children are replaced is shown after it, and the last request wins")
      func reentrancy() async throws {
        for hook in ["willMove", "didLoad", "willAppear", "didAppear", "didMove"] {
          try await withSlot { slot, parent, controllers in
            let (a, b, c) = (
              controllers.controller("A"), controllers.controller("B"), controllers.controller("C")
            )
            a.onHook = { [weak slot, weak b, weak c] called in
              guard called == hook else { return }
              slot?.show(b)
              slot?.show(c)
            }
            slot.show(a)
            #expect(parent.children == [c], "\(hook)")
            #expect(parent.view.subviews == [c.view])
            let log = controllers.log.take()
            #expect(log.filter { $0.hasPrefix("A") }.last == "A.didMove(nil)")
            #expect(!log.contains { $0.hasPrefix("B") })
            a.onHook = nil
          }
        }
      }

      @Test("a child appears and disappears together with its parent")
      func hiddenParent() async throws {
        try await withControllers { controllers in
          let parent = controllers.controller("parent")
          let slot = ChildViewControllerSlot(in: parent)
          let (a, b) = (controllers.controller("A"), controllers.controller("B"))
          slot.show(a, fade: .seconds(1))
          slot.show(b, fade: .seconds(1))
          #expect(UIKitStandIn.pendingAnimations == 0)
          #expect(!controllers.log.take().contains { $0.contains("ppear") })
          controllers.window.rootViewController = parent
          controllers.window.makeKeyAndVisible()
          UIKitStandIn.advance()
          #expect(
            controllers.log.take().filter { $0.hasPrefix("B") } == ["B.willAppear", "B.didAppear"])
        }
      }

      @Test(
        "after random requests, the last child is shown, and each child was called in an order on which it can rely",
        arguments: 0..<10)
      func randomRequests(seed: UInt64) async throws {
        for late in [false, true] {
          try await withSlot(late: late) { slot, parent, controllers in
            var numbers = SplitMix64(seed: seed)
            let children = ["A", "B", "C"].map(controllers.controller)
            var last: UIViewController?
            for _ in 0..<200 {
              last = children.randomElement(using: &numbers)
              if Int.random(in: 0..<5, using: &numbers) == 0 { last = nil }
              slot.show(last, fade: Bool.random(using: &numbers) ? .seconds(1) : .zero)
              #expect(slot.child === last)
              if Bool.random(using: &numbers) { UIKitStandIn.advance() }
            }
            UIKitStandIn.advance()
            #expect(parent.children == [last].compactMap(\.self))
            #expect(parent.view.subviews == [last?.view].compactMap(\.self))
            for (name, entries) in Dictionary(grouping: controllers.log.take(), by: { $0.prefix(1) }) {
              var checker = HookChecker()
              for hook in entries.compactMap(ScreenHook.init(entry:)) { try checker.check(hook) }
              let steps = entries.filter { $0.contains("Move") }.map { $0.dropFirst(2) }
              for (step, next) in zip(steps, steps.dropFirst()) {
                #expect(
                  Self.nextSteps[String(step)]?.contains(String(next)) == true, "\(name): \(step), \(next)")
              }
            }
          }
        }
      }

      /// The steps of containment that may follow a step. A fade that is interrupted removes a child before its `didMove`.
      private static let nextSteps = [
        "willMove": ["didMove", "willMove(nil)"], "didMove": ["willMove(nil)"],
        "willMove(nil)": ["didMove(nil)"], "didMove(nil)": ["willMove"],
      ]

      @Test("a child that is requested when a fade ends is shown after all steps of the fade")
      func requestAtTheEndOfAFade() async throws {
        try await withSlot { slot, parent, controllers in
          let (a, b, c) = (
            controllers.controller("A"), controllers.controller("B"), controllers.controller("C")
          )
          slot.show(a)
          slot.show(b, fade: .seconds(1))
          a.onHook = { [weak slot, weak c] hook in if hook == "didMove(nil)" { slot?.show(c) } }
          UIKitStandIn.advance()
          #expect(parent.children == [c])
          let steps = controllers.log.take().filter { $0.hasPrefix("B.") && $0.contains("Move") }
          #expect(steps == ["B.willMove", "B.didMove", "B.willMove(nil)", "B.didMove(nil)"])
          a.onHook = nil
        }
      }

      @Test("a fade ends with the alpha that the child had")
      func alpha() async throws {
        try await withSlot { slot, _, controllers in
          let (a, b) = (controllers.controller("A"), controllers.controller("B"))
          b.loadViewIfNeeded()
          b.view.alpha = 0.5
          slot.show(a)
          slot.show(b, fade: .seconds(1))
          UIKitStandIn.advance()
          #expect(b.view.alpha == 0.5)
        }
      }

      @Test("emptying an empty slot does not load the view of the parent")
      func emptySlot() async throws {
        try await withControllers { controllers in
          let parent = controllers.controller("parent")
          let slot = ChildViewControllerSlot(in: parent)
          slot.show(nil)
          #expect(!parent.isViewLoaded)
        }
      }

      @Test("a slot can use a view of its parent, and shows nothing when that view is released")
      func view() async throws {
        try await withControllers { controllers in
          let parent = controllers.controller("parent")
          controllers.show(parent)
          let a = controllers.controller("A")
          var view: UIView? = UIView(frame: CGRect(x: 10, y: 10, width: 50, height: 50))
          parent.view.addSubview(try #require(view))
          let slot = ChildViewControllerSlot(in: parent, view: view)
          slot.show(a)
          #expect(a.view.superview === view)
          #expect(a.view.frame == CGRect(x: 0, y: 0, width: 50, height: 50))
          view?.removeFromSuperview()
          view = nil
          let b = controllers.controller("B")
          slot.show(b)
          #expect(slot.child == nil)
          #expect(parent.children == [], "without its view, a slot can only remove its child")
        }
      }

      @Test("a fade ends even if the slot is released")
      func releasedSlot() async throws {
        try await withControllers { controllers in
          let parent = controllers.controller("parent")
          controllers.show(parent)
          let (a, b) = (controllers.controller("A"), controllers.controller("B"))
          do {
            let slot = controllers.tracker.track(ChildViewControllerSlot(in: parent))
            slot.show(a)
            slot.show(b, fade: .seconds(1))
          }
          UIKitStandIn.advance()
          #expect(parent.children == [b])
        }
      }

      @Test("hazard: a child whose view is removed, but that stays a child, is never released")
      func missingRemoval() async throws {
        try await withControllers { controllers in
          let parent = controllers.controller("parent")
          controllers.show(parent)
          for _ in 0..<3 {
            let detail = controllers.controller("detail")
            parent.addChild(detail)
            parent.view.addSubview(detail.view)
            detail.view.removeFromSuperview()
          }
          #expect(controllers.tracker.survivors == ["parent", "detail", "detail", "detail"])
        }
      }

      @Test("a controller cannot contain itself")
      func cycle() async {
        await #expect(processExitsWith: .failure) {
          await MainActor.run {
            let parent = UIViewController()
            let child = UIViewController()
            ChildViewControllerSlot(in: parent).show(child)
            ChildViewControllerSlot(in: child).show(parent)
          }
        }
      }

      private func withSlot(
        late: Bool = false,
        _ body:
          @MainActor (ChildViewControllerSlot, RecordingViewController, ControllerSet) async throws -> Void
      ) async throws {
        try await withControllers(late: late) { controllers in
          let parent = controllers.controller("parent")
          controllers.show(parent)
          try await body(controllers.tracker.track(ChildViewControllerSlot(in: parent)), parent, controllers)
        }
      }
    }
  }
#endif
