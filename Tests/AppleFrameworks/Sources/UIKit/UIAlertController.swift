public import Foundation

@MainActor
open class UIAlertAction: NSObject {
  public enum Style: Int, Sendable { case `default`, cancel, destructive }

  public let title: String?
  public let style: Style
  let handler: ((UIAlertAction) -> Void)?

  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
    self.title = title
    self.style = style
    self.handler = handler
    super.init()
  }
}

/// An alert. ``UIKitStandIn/tap(_:in:)`` taps one of its buttons.
open class UIAlertController: UIViewController {
  public enum Style: Int, Sendable { case actionSheet, alert }

  open var message: String?
  public private(set) var preferredStyle = Style.alert
  open private(set) var actions: [UIAlertAction] = []
  open var preferredAction: UIAlertAction?

  public convenience init(title: String?, message: String?, preferredStyle: Style) {
    self.init(nibName: nil, bundle: nil)
    self.title = title
    self.message = message
    self.preferredStyle = preferredStyle
  }

  open func addAction(_ action: UIAlertAction) {
    precondition(
      action.style != .cancel || !actions.contains { $0.style == .cancel },
      "An alert can have one cancel action.")
    actions.append(action)
  }
}

extension UIKitStandIn {
  /// Taps a button of an alert: the alert is dismissed, and then the handler runs.
  public static func tap(_ title: String, in alert: UIAlertController) {
    guard let action = alert.actions.first(where: { $0.title == title }) else {
      preconditionFailure("The alert has no button \(title).")
    }
    alert.dismiss(animated: true) { action.handler?(action) }
    advance()
  }
}
