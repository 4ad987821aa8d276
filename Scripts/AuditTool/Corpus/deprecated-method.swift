//// hazard: trait collection callback
import UIKit

final class ThemeController: UIViewController {
  override func traitCollectionDidChange(_ previous: UITraitCollection?) {  // ← here
    super.traitCollectionDidChange(previous)
    view.backgroundColor = traitCollection.userInterfaceStyle == .dark ? .black : .white
  }
}

//// hazard: should autorotate
import UIKit

class VideoController: UIViewController {
  override var shouldAutorotate: Bool { false }  // ← here
  override var supportedInterfaceOrientations: UIInterfaceOrientationMask { .landscape }
}

//// hazard: will rotate of old times
import UIKit

class GraphController: UIViewController {
  override func willRotate(to orientation: UIInterfaceOrientation, duration: TimeInterval) {  // ← here
    super.willRotate(to: orientation, duration: duration)
    redraw()
  }

  func redraw() {}
}

//// hazard: attempts a rotation
import UIKit

final class PlayerViewController: UIViewController {
  @IBAction func fullscreen() {
    UIDevice.current.setValue(UIInterfaceOrientation.landscapeLeft.rawValue, forKey: "orientation")
    UIViewController.attemptRotationToDeviceOrientation()  // ← here
  }
}

//// hazard: interface orientation of a controller
import UIKit

final class CameraPreview: UIViewController {
  override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    let isPortrait = interfaceOrientation.isPortrait  // ← here
    view.transform = isPortrait ? .identity : CGAffineTransform(rotationAngle: .pi / 2)
  }
}

//// hazard: a view overrides the trait method
import UIKit

final class BorderView: UIView {
  public override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {  // ← here
    layer.borderColor = UIColor.separator.cgColor
  }
}

//// harmless: registration for trait changes
import UIKit

final class ThemeController: UIViewController {
  override func viewDidLoad() {
    super.viewDidLoad()
    registerForTraitChanges([UITraitUserInterfaceStyle.self]) { (controller: Self, _) in
      controller.view.setNeedsDisplay()
    }
  }
}

//// harmless: transition to a size
import UIKit

class GraphController: UIViewController {
  override func viewWillTransition(to size: CGSize, with coordinator: UIViewControllerTransitionCoordinator) {
    super.viewWillTransition(to: size, with: coordinator)
    coordinator.animate { _ in self.redraw() }
  }

  func redraw() {}
}

//// harmless: geometry request of a scene
import UIKit

final class PlayerViewController: UIViewController {
  func fullscreen() {
    setNeedsUpdateOfSupportedInterfaceOrientations()
    view.window?.windowScene?.requestGeometryUpdate(.iOS(interfaceOrientations: .landscape))
  }
}

//// harmless: own method with a similar name
import Foundation

final class CubeModel {
  private(set) var angle = 0.0
  func willRotate(by degrees: Double) { angle += degrees }
}

//// harmless: orientation of an image
import UIKit

struct PhotoInfo {
  let image: UIImage
  var isUpright: Bool { image.imageOrientation == .up }
}
