//// hazard: only the view is removed
import UIKit

final class OverlayContainer: UIViewController {
  private var overlay: UIViewController?

  func hideOverlay() {
    overlay?.view.removeFromSuperview()  // ← here
    overlay = nil
  }
}

//// hazard: willMove is missing
import UIKit

final class TabSwitcher: UIViewController {
  private var current: UIViewController?

  func removeCurrent() {
    guard let current else { return }
    current.view.removeFromSuperview()
    current.removeFromParent()  // ← here
    self.current = nil
  }
}

//// hazard: extension without the announcement
import UIKit

extension UIViewController {
  func detach() {
    guard parent != nil else { return }
    view.removeFromSuperview()
    removeFromParent()  // ← here
  }
}

//// hazard: all children are dropped by their views
import UIKit

class PageHost: UIViewController {
  func reset() {
    for child in children {
      child.view.removeFromSuperview()  // ← here
    }
  }
}

//// hazard: fade out forgets the controller
import UIKit

final class BannerHost: UIViewController {
  private let banner = BannerViewController()

  func dismissBanner() {
    UIView.animate(withDuration: 0.2) {
      self.banner.view.alpha = 0
    } completion: { _ in
      self.banner.view.removeFromSuperview()  // ← here
    }
  }
}

//// hazard: didMove to nil instead of willMove
import UIKit

final class ChildReplacer: UIViewController {
  func replace(_ old: UIViewController, with new: UIViewController) {
    old.view.removeFromSuperview()
    old.removeFromParent()  // ← here
    old.didMove(toParent: nil)
    addChild(new)
    view.addSubview(new.view)
    new.didMove(toParent: self)
  }
}

//// harmless: all steps in their order
import UIKit

final class OverlayContainer: UIViewController {
  private var overlay: UIViewController?

  func hideOverlay() {
    overlay?.willMove(toParent: nil)
    overlay?.view.removeFromSuperview()
    overlay?.removeFromParent()
    overlay = nil
  }
}

//// harmless: a plain view is removed
import UIKit

final class LoadingController: UIViewController {
  private let spinner = UIActivityIndicatorView(style: .large)

  func stop() {
    spinner.stopAnimating()
    spinner.removeFromSuperview()
  }
}

//// harmless: extension with the announcement
import UIKit

extension UIViewController {
  func detach() {
    willMove(toParent: nil)
    view.removeFromSuperview()
    removeFromParent()
  }
}

//// harmless: sprite leaves the scene
import SpriteKit

final class EnemyNode: SKSpriteNode {
  func explode() {
    run(.fadeOut(withDuration: 0.2)) { [weak self] in self?.removeFromParent() }
  }
}

//// harmless: children end in a loop
import UIKit

class PageHost: UIViewController {
  func reset() {
    children.forEach {
      $0.willMove(toParent: nil)
      $0.view.removeFromSuperview()
      $0.removeFromParent()
    }
  }
}

//// harmless: the last steps stand in a function of their own
import UIKit

final class Slot {
  private var child: UIViewController?

  func empty(_ parent: UIViewController) {
    child?.willMove(toParent: nil)
    Self.remove(child, from: parent)
    child = nil
  }

  private static func remove(_ child: UIViewController?, from parent: UIViewController) {
    guard let child, child.parent === parent else { return }
    child.viewIfLoaded?.removeFromSuperview()
    child.removeFromParent()
  }
}

//// harmless: a controller without a parent cleans up in deinit
import UIKit

final class LobbyViewController: UIViewController {
  private var viewModel: LobbyViewModel?
  deinit { tearDown() }

  private func tearDown() {
    viewModel = nil
    removeFromParent()
  }
}
final class LobbyCoordinator {
  private var viewController: LobbyViewController?
  private var navigation: UINavigationController?
  deinit {
    tearDownAll()
    viewController?.removeFromParent()
  }

  private func tearDownAll() {
    let panel = navigation?.viewControllers.first as? DoorPanelController
    panel?.tearDown()
  }
}

//// hazard: deinit is not the only caller
import UIKit

final class PanelViewController: UIViewController {
  deinit { tearDown() }
  @objc private func closeTapped() { tearDown() }

  private func tearDown() {
    view.removeFromSuperview()
    removeFromParent()  // ← here
  }
}

//// harmless: the observers of a property announce and remove the old child
import UIKit

final class StageViewController: UIViewController {
  var actor: (UIViewController & Speaker)? {
    willSet {
      actor?.willMove(toParent: nil)
      newValue.flatMap { addChild($0) }
    }
    didSet {
      oldValue?.view.removeFromSuperview()
      oldValue?.removeFromParent()
      guard let actor else { return }
      view.addSubview(actor.view)
      actor.didMove(toParent: self)
    }
  }
}

//// harmless: didSet names the old child
import UIKit

final class DetailHost: UIViewController {
  var detail: UIViewController? {
    didSet {
      if let old = oldValue {
        old.willMove(toParent: nil)
        oldValue?.view.removeFromSuperview()
        old.removeFromParent()
      }
    }
  }
}

//// hazard: the observer announces the new child instead of the old one
import UIKit

final class PlayerHost: UIViewController {
  var player: UIViewController? {
    willSet {
      newValue?.willMove(toParent: nil)
    }
    didSet {
      oldValue?.view.removeFromSuperview()
      oldValue?.removeFromParent()  // ← here
    }
  }
}

//// hazard: the observer removes only the view of the old child
import UIKit

final class ChartHost: UIViewController {
  var chart: ChartViewController? {
    didSet {
      oldValue?.view.removeFromSuperview()  // ← here
      chart.map { addChild($0) }
      chart?.didMove(toParent: self)
    }
  }
}

//// harmless: a transition ends with the view of the screen that closes
import UIKit

final class FadeAnimator: NSObject, UIViewControllerAnimatedTransitioning {
  func animateTransition(using context: any UIViewControllerContextTransitioning) {
    guard let toViewController = context.viewController(forKey: .to) else { return }
    UIView.animate(withDuration: 0.2) {
      toViewController.view.alpha = 1
    } completion: { _ in
      if context.transitionWasCancelled { toViewController.view.removeFromSuperview() }
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}

//// harmless: AppKit's list of children is emptied
import AppKit

final class PanesViewController: NSViewController {
  func clear() {
    for child in children { child.view.removeFromSuperview() }
    children.removeAll()
  }
}
