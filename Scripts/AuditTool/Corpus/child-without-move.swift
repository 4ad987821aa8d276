//// hazard: addChild without didMove
import UIKit

final class SplitContainer: UIViewController {
  func show(_ detail: UIViewController) {
    addChild(detail)  // ← here
    detail.view.frame = view.bounds
    view.addSubview(detail.view)
  }
}

//// hazard: helper extension forgets the last step
import UIKit

extension UIViewController {
  func embed(_ child: UIViewController, in container: UIView) {
    self.addChild(child)  // ← here
    container.addSubview(child.view)
    child.view.translatesAutoresizingMaskIntoConstraints = false
    NSLayoutConstraint.activate([child.view.topAnchor.constraint(equalTo: container.topAnchor)])
  }
}

//// hazard: only the view is added
import UIKit

final class DashboardController: UIViewController {
  private let chart = ChartViewController()

  override func viewDidLoad() {
    super.viewDidLoad()
    view.addSubview(chart.view)  // ← here
    chart.view.frame = CGRect(x: 0, y: 0, width: 320, height: 200)
  }
}

//// hazard: one of two children is not told
import UIKit

class PlayerContainer: UIViewController {
  let video = VideoViewController()
  let controls = ControlsViewController()

  override func viewDidLoad() {
    super.viewDidLoad()
    addChild(video)
    view.addSubview(video.view)
    video.didMove(toParent: self)
    addChild(controls)  // ← here
    view.addSubview(controls.view)
  }
}

//// hazard: old spelling with addChildViewController
import UIKit

class LegacyContainer: UIViewController {
  @objc func embed(_ controller: UIViewController) {
    addChildViewController(controller)  // ← here
    controller.view.frame = view.frame
    view.addSubview(controller.view)
  }
}

//// hazard: hosting controller is embedded in a hurry
import SwiftUI
import UIKit

final class ProfileContainer: UIViewController {
  private let user: User
  init(user: User) { self.user = user; super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }

  override func loadView() {
    let hosting = UIHostingController(rootView: ProfileView(user: user))
    let root = UIView()
    addChild(hosting)  // ← here
    root.addSubview(hosting.view)
    view = root
  }
}

//// harmless: all three steps
import UIKit

final class SplitContainer: UIViewController {
  func show(_ detail: UIViewController) {
    addChild(detail)
    detail.view.frame = view.bounds
    view.addSubview(detail.view)
    detail.didMove(toParent: self)
  }
}

//// harmless: a loop over all children
import UIKit

final class Pages: UIViewController {
  func embed(_ pages: [UIViewController]) {
    pages.forEach { page in
      addChild(page)
      view.addSubview(page.view)
      page.didMove(toParent: self)
    }
  }
}

//// harmless: didMove comes in the completion of an animation
import UIKit

final class AnimatedContainer: UIViewController {
  func show(_ next: UIViewController) {
    addChild(next)
    next.view.alpha = 0
    view.addSubview(next.view)
    UIView.animate(withDuration: 0.3, animations: { next.view.alpha = 1 }) { _ in
      next.didMove(toParent: self)
    }
  }
}

//// harmless: a coordinator tree has children of its own kind
import Foundation

class Coordinator {
  private(set) var children: [Coordinator] = []
  func addChild(_ child: Coordinator) { children.append(child) }
  func start() {}
}

final class AppCoordinator: Coordinator {
  override func start() {
    let login = Coordinator()
    addChild(login)
    login.start()
  }
}

//// harmless: scene node with a child
import SpriteKit

final class GameScene: SKScene {
  override func didMove(to view: SKView) {
    let player = SKSpriteNode(imageNamed: "player")
    addChild(player)
  }
}

//// harmless: the last step stands in a function of its own
import UIKit

final class Slot {
  func show(_ child: UIViewController, in parent: UIViewController) {
    add(child, to: parent)
    finish(child, in: parent)
  }

  private func add(_ child: UIViewController, to parent: UIViewController) {
    parent.addChild(child)
    child.view.frame = parent.view.bounds
    parent.view.addSubview(child.view)
  }

  private func finish(_ new: UIViewController, in parent: UIViewController) {
    if new.parent === parent { new.didMove(toParent: parent) }
  }
}

//// harmless: willSet adds the new child, and didSet ends the move
import UIKit

final class CategoryHost: UIViewController {
  var content: UIViewController? {
    willSet {
      content?.willMove(toParent: nil)
      newValue.flatMap { addChild($0) }
    }
    didSet {
      oldValue?.view.removeFromSuperview()
      oldValue?.removeFromParent()
      if let child = content {
        view.addSubview(child.view)
        child.didMove(toParent: self)
      }
    }
  }
}

//// hazard: willSet adds the new child, and didSet only shows it
import UIKit

final class MapHost: UIViewController {
  var map: UIViewController? {
    willSet {
      newValue.map { addChild($0) }  // ← here
    }
    didSet {
      guard let map else { return }
      view.addSubview(map.view)
    }
  }
}

//// hazard: the observer ends the move of the old child
import UIKit

final class SheetHost: UIViewController {
  var sheet: UIViewController? {
    didSet {
      guard let sheet else { return }
      addChild(sheet)  // ← here
      view.addSubview(sheet.view)
      oldValue?.didMove(toParent: nil)
    }
  }
}

//// harmless: AppKit does not tell a child about its parent
import AppKit

final class PreferencesViewController: NSViewController {
  func show(_ controller: NSViewController) {
    addChild(controller)
    view.addSubview(controller.view)
  }

  func hide(_ controller: NSViewController) {
    controller.view.removeFromSuperview()
    controller.removeFromParent()
  }
}
