#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Shows at most one child view controller in a view of its parent, and takes all steps of
  /// containment.
  ///
  /// ```swift
  /// final class AccountViewController: UIViewController {
  ///   private lazy var slot = ChildViewControllerSlot(in: self)
  ///
  ///   func render(_ state: AccountState) {
  ///     slot.show(state.isSignedIn ? profile : signIn, fade: .milliseconds(250))
  ///   }
  /// }
  /// ```
  ///
  /// | replacement of A by B | steps |
  /// | --- | --- |
  /// | without a fade | A `willMove(toParent: nil)`, the view of A is removed, A `didMove(toParent: nil)` · B `willMove(toParent:)`, the view of B is added, B `didMove(toParent:)` |
  /// | with a fade | B is added first. When the fade ends, the view of A is removed, and both receive `didMove(toParent:)`. |
  ///
  /// UIKit calls the appearance methods when a view is added and removed, and ends an appearance in
  /// the next turn of the run loop.
  ///
  /// - Isolation: The main actor.
  /// - Reentrancy: If a child calls ``show(_:fade:)`` while the slot replaces children, the slot
  ///   shows the last requested child after the replacement.
  /// - Ownership: The slot keeps the child, not the parent. The parent stores the slot.
  @MainActor
  public final class ChildViewControllerSlot {
    private weak var parent: UIViewController?
    private weak var container: UIView?
    private let usesView: Bool
    private var current: UIViewController?
    private var fade: Fade?
    private var request: (child: UIViewController?, fade: Duration)?
    private var isReplacing = false

    /// Creates an empty slot.
    ///
    /// - Parameters:
    ///   - parent: The parent of the children.
    ///   - view: The view that the child fills, or `nil` for the view of the parent. Each slot of a
    ///     parent needs its own view.
    public init(in parent: UIViewController, view: UIView? = nil) {
      self.parent = parent
      container = view
      usesView = view != nil
    }

    /// The child, or `nil` if the slot is empty, or if other code has removed the child or moved it
    /// elsewhere.
    public var child: UIViewController? {
      guard let current, let parent, current.parent === parent else { return nil }
      let superview = current.viewIfLoaded?.superview
      return superview == nil || superview === (usesView ? container : parent.viewIfLoaded) ? current : nil
    }

    /// Replaces the child. Does nothing if the slot already shows `child`.
    ///
    /// A child that has another parent is removed from that parent first.
    ///
    /// - Parameters:
    ///   - child: The new child, or `nil` to empty the slot.
    ///   - fade: The duration of the fade from the old to the new child. There is no fade to or
    ///     from an empty slot, or while the parent is not in a window. A running fade ends at once
    ///     if the child is replaced again.
    /// - Precondition: `child` neither is nor contains the parent.
    public func show(_ child: UIViewController?, fade: Duration = .zero) {
      request = (child, fade)
      if !isReplacing { replaceAsRequested(after: {}) }
    }

    private func replaceAsRequested(after first: () -> Void) {
      isReplacing = true
      first()
      while let next = request.take() { replace(with: next.child, fade: next.fade) }
      isReplacing = false
    }

    private func replace(with new: UIViewController?, fade duration: Duration) {
      guard let parent, new !== child else { return }
      fade?.end()
      let old = child
      let view = new == nil ? nil : usesView ? container : parent.view
      current = view == nil ? nil : new
      old?.willMove(toParent: nil)
      guard let new, let view else { return Self.remove(old, from: parent) }
      checkIsNoAncestor(new)
      if let former = new.parent {
        new.willMove(toParent: nil)
        Self.remove(new, from: former)
      }
      guard duration > .zero, let old, view.window != nil else {
        Self.remove(old, from: parent)
        add(new, to: parent, in: view)
        return Self.finish(new, in: parent)
      }
      add(new, to: parent, in: view)
      let alpha = new.view.alpha
      let fade = Fade {
        new.view.alpha = alpha
        if old.viewIfLoaded?.superview === view { Self.remove(old, from: parent) }
        if new.viewIfLoaded?.superview === view { Self.finish(new, in: parent) }
      }
      self.fade = fade
      new.view.alpha = 0
      UIView.animate(withDuration: duration / .seconds(1)) {
        new.view.alpha = alpha
      } completion: { [weak self] _ in
        guard let self, !isReplacing else { return fade.end() }
        replaceAsRequested(after: fade.end)
      }
    }

    private func add(_ child: UIViewController, to parent: UIViewController, in view: UIView) {
      parent.addChild(child)
      child.view.frame = view.bounds
      child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(child.view)
    }

    /// Takes the last step of adding, unless other code has moved the child.
    private static func finish(_ child: UIViewController, in parent: UIViewController) {
      if child.parent === parent { child.didMove(toParent: parent) }
    }

    /// Takes the last two steps of removing, unless other code has moved the child.
    private static func remove(_ child: UIViewController?, from parent: UIViewController) {
      guard let child, child.parent === parent else { return }
      child.viewIfLoaded?.removeFromSuperview()
      child.removeFromParent()
    }

    private func checkIsNoAncestor(_ child: UIViewController) {
      var ancestor = parent
      while let current = ancestor {
        guard current !== child else {
          fatalError("ChildViewControllerSlot: \(type(of: child)) cannot contain itself")
        }
        ancestor = current.parent
      }
    }

    /// A fade that is in progress. It ends once: with its animation, or when the child is replaced
    /// again.
    @MainActor
    private final class Fade {
      private var onEnd: (@MainActor () -> Void)?
      init(onEnd: @escaping @MainActor () -> Void) { self.onEnd = onEnd }
      func end() { onEnd.take()?() }
    }
  }
#endif
