public import Foundation

/// The object that manages the presentation of a controller.
@MainActor
open class UIPresentationController: NSObject {
  open private(set) unowned var presentedViewController: UIViewController
  /// Up to iOS 25, UIKit stops the process if the delegate of an alert is set. So does this type.
  open weak var delegate: (any UIAdaptivePresentationControllerDelegate)? {
    didSet {
      precondition(
        !(presentedViewController is UIAlertController), "An alert needs its own presentation delegate.")
    }
  }

  /// The view in which the presentation takes place, while the controller is presented.
  open internal(set) var containerView: UIView?

  public init(
    presentedViewController: UIViewController, presenting presentingViewController: UIViewController?
  ) {
    self.presentedViewController = presentedViewController
    super.init()
  }

  open var presentingViewController: UIViewController? { presentedViewController.presentingViewController }

  /// Removes the container at the end of the presentation.
  func endContainer() {
    if let containerView { UIView.move(containerView, to: nil, at: nil, calls: .byCaller) }
    containerView = nil
  }
}

/// Manages a popover, which points to a place in another view.
@available(tvOS, unavailable)
@MainActor
open class UIPopoverPresentationController: UIPresentationController {
  open var sourceView: UIView?
  open var sourceRect = CGRect.zero
  open var barButtonItem: UIBarButtonItem?

  var hasPlace: Bool { sourceView != nil || barButtonItem != nil }
}

/// A button of a bar. Here, a popover can point to it, and nothing more.
@MainActor
open class UIBarButtonItem: NSObject {}

/// An object that learns how the user closes a presented controller. Code that dismisses the controller does not call it.
///
/// In UIKit, the functions are optional requirements. Swift has these only on Apple platforms, so here they have default
/// implementations.
@MainActor
public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
  func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool
  func presentationControllerWillDismiss(_ presentationController: UIPresentationController)
  func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
  func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
  /// Returns true.
  public func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool
  {
    true
  }

  /// Does nothing.
  public func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {}

  /// Does nothing.
  public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}

  /// Does nothing.
  public func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {}
}

extension UIKitStandIn {
  /// Swipes a presented controller down. The dismissal ends in ``advance()``.
  public static func swipeDown(_ controller: UIViewController) {
    guard controller.presenterStorage != nil, controller.presentedStorage == nil,
      let presentation = controller.presentationController
    else { preconditionFailure("The controller is not in front.") }
    guard !controller.isModalInPresentation,
      presentation.delegate?.presentationControllerShouldDismiss(presentation) ?? true
    else {
      presentation.delegate?.presentationControllerDidAttemptToDismiss(presentation)
      return
    }
    presentation.delegate?.presentationControllerWillDismiss(presentation)
    controller.dismiss(animated: true) {
      presentation.delegate?.presentationControllerDidDismiss(presentation)
    }
  }
}
