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
