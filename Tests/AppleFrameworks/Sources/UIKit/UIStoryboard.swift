public import Foundation

/// A storyboard without archives: only a creator makes its controllers.
@MainActor
open class UIStoryboard: NSObject {
  public init(name: String, bundle storyboardBundleOrNil: Bundle?) { super.init() }

  open func instantiateViewController<ViewController: UIViewController>(
    identifier: String, creator: ((NSCoder) -> ViewController?)? = nil
  ) -> ViewController {
    guard let controller = creator?(NSCoder()) else { fatalError("The stand-in has no archives.") }
    return controller
  }
}
