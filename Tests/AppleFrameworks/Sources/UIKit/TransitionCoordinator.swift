import Foundation

/// The coordinator of a transition of the stand-in.
@MainActor
final class TransitionCoordinator: NSObject, UIViewControllerTransitionCoordinator {
  typealias Action = (any UIViewControllerTransitionCoordinatorContext) -> Void

  private enum Stage {
    case beforeAnimations, animating, finished
  }

  let isAnimated: Bool
  let initiallyInteractive: Bool
  private(set) var isInteractive: Bool
  private(set) var isCancelled = false
  private var stage = Stage.beforeAnimations
  private var from: UIViewController?
  private var to: UIViewController?
  private var animations: [Action] = []
  private var completions: [Action] = []
  private var interactionHandlers: [Action] = []

  init(isAnimated: Bool, isInteractive: Bool = false, from: UIViewController?, to: UIViewController?) {
    self.isAnimated = isAnimated
    self.isInteractive = isInteractive
    initiallyInteractive = isInteractive
    self.from = from
    self.to = to
    super.init()
  }

  func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController? {
    switch key {
    case .from: from
    case .to: to
    default: nil
    }
  }

  @discardableResult
  func animate(alongsideTransition animation: Action?, completion: Action?) -> Bool {
    if stage == .finished || UIKitStandIn.refusesAlongsideAnimations { return false }
    if let completion { completions.append(completion) }
    guard let animation else { return true }
    guard stage == .beforeAnimations else { return false }
    animations.append(animation)
    return true
  }

  func notifyWhenInteractionChanges(_ handler: @escaping Action) {
    if stage != .finished { interactionHandlers.append(handler) }
  }

  /// Runs the animations. From now on, no animation can be added.
  func beginAnimations() {
    stage = .animating
    let animations = animations
    self.animations = []
    for animation in animations { animation(self) }
  }

  /// Ends the control of the gesture.
  func endInteraction(isCancelled: Bool) {
    guard isInteractive else { return }
    isInteractive = false
    self.isCancelled = isCancelled
    for handler in interactionHandlers { handler(self) }
  }

  /// Runs the completions, and releases all closures and controllers.
  func runCompletions() {
    stage = .finished
    let completions = completions
    self.completions = []
    for completion in completions { completion(self) }
    animations = []
    interactionHandlers = []
    from = nil
    to = nil
  }
}
