/// An order in which screens do not live. What was refused has changed nothing, and no hook has run for it.
public enum ScreenHostError: Error, Hashable, Sendable {
  /// A step of the life cycle that does not follow on the one before.
  case illegalTransition(from: ScreenPhase, to: ScreenPhase)
  /// A step of containment that was skipped, or came twice.
  case illegalContainment(from: ScreenContainmentPhase, to: ScreenContainmentPhase)
  /// The step names another parent than the steps before it.
  case wrongParent
  /// The child is the parent itself, or one of those that contain it.
  case containsItself
  /// A contained screen appears, disappears, resizes and ends with its parent, and with nobody else.
  case drivenByParent
  /// The screen has to leave the display first: another window shows it.
  case onDisplay(ScreenPhase)
  /// An interactive transition needs a container that is visible.
  case offDisplay(ScreenPhase)
  /// The screen, or the one that should contain it, has ended.
  case ended
  /// The container, or the change of size, is in the middle of a transition.
  case transitionInProgress
  /// The transition has been finished or cancelled before.
  case transitionEnded
  /// Only the root is left, and it stays.
  case nothingToPop
  /// The container does not have this screen.
  case unknownScreen
  /// The container has this screen already.
  case duplicateScreen
  /// The container has fewer tabs.
  case noSuchTab(Int, count: Int)
  /// A size that is negative, or not a number.
  case invalidSize(ViewportSize)
}

extension ScreenHostError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .illegalTransition(let old, let new): "a screen that is \(old) cannot become \(new)"
    case .illegalContainment(let old, let new): "a screen whose containment is \(old) cannot make it \(new)"
    case .wrongParent: "the step names another parent than the steps before it"
    case .containsItself: "a screen cannot contain itself, or one that contains it"
    case .drivenByParent: "a contained screen is driven by its parent"
    case .onDisplay(let phase): "the screen is on display: it is \(phase)"
    case .offDisplay(let phase): "the container is not visible: it is \(phase)"
    case .ended: "the screen has ended"
    case .transitionInProgress: "a transition is in progress"
    case .transitionEnded: "the transition has ended"
    case .nothingToPop: "only the root is left"
    case .unknownScreen: "the container does not have this screen"
    case .duplicateScreen: "the container has this screen already"
    case .noSuchTab(let index, let count): "there is no tab \(index) among \(count)"
    case .invalidSize(let size): "\(size.width) × \(size.height) is not a size"
    }
  }
}
