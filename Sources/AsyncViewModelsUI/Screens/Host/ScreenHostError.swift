public import Foundation

/// A life-cycle step in an illegal order, or with an invalid argument.
///
/// A rejected step has no effect and runs no hook. A call with several steps can fail after the
/// first, and ``ScreenHost/transition(to:animated:)`` after its hooks.
public enum ScreenHostError: Error, Hashable, Sendable {
  /// The life-cycle step cannot follow the current phase.
  case illegalTransition(from: ScreenPhase, to: ScreenPhase)
  /// A containment step was skipped or repeated.
  case illegalContainment(from: ScreenContainmentPhase, to: ScreenContainmentPhase)
  /// The given host is not the child's parent, or not the parent that was announced to the child.
  case wrongParent
  /// The child is the parent itself, or contains the parent.
  case containsItself
  /// The screen has a parent, or a parent was announced to it. Only that parent may show, hide,
  /// resize or end the screen, or set its traits.
  case drivenByParent
  /// The screen is already on display, in this phase. It has to be hidden before it can get a
  /// parent.
  case onDisplay(ScreenPhase)
  /// A change of size needs a screen on display. The screen is in this phase.
  case offDisplay(ScreenPhase)
  /// The screen, its new parent or its container has ended.
  case ended
  /// Another transition of the container, or another change of size, is in progress.
  case transitionInProgress
  /// The transition is already finished or cancelled, for example by a hook.
  case transitionEnded
  /// The stack contains only its root, which cannot be removed.
  case nothingToPop
  /// The container does not contain this screen.
  case unknownScreen
  /// The container already contains this screen.
  case duplicateScreen
  /// The container has no tab with this index.
  case noSuchTab(Int, count: Int)
  /// The size is negative or not finite.
  case invalidSize(ViewportSize)
}

extension ScreenHostError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .illegalTransition(let old, let new): "A screen cannot go from \(old) to \(new)."
    case .illegalContainment(let old, let new): "The containment of a screen cannot go from \(old) to \(new)."
    case .wrongParent: "The given host is not the parent of the screen."
    case .containsItself: "A screen cannot contain itself or a screen that contains it."
    case .drivenByParent: "The screen has a parent, and only that parent can show, hide, resize or end it."
    case .onDisplay(let phase): "The screen is on display: it is \(phase)."
    case .offDisplay(let phase): "The transition is not possible while the screen is \(phase)."
    case .ended: "The screen has ended."
    case .transitionInProgress: "Another transition is in progress."
    case .transitionEnded: "The transition has already ended."
    case .nothingToPop: "The stack contains only its root."
    case .unknownScreen: "The container does not contain this screen."
    case .duplicateScreen: "The container already contains this screen."
    case .noSuchTab(let index, let count): "There is no tab \(index): the container has \(count) tabs."
    case .invalidSize(let size): "\(size.width) × \(size.height) is not a valid size."
    }
  }

  public var errorDescription: String? { description }
}
