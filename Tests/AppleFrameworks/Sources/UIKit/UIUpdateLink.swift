public import Foundation

/// The state of an update of a display.
@MainActor
open class UIUpdateInfo: NSObject {
  /// The time that the update shows.
  public let modelTime: TimeInterval

  init(modelTime: TimeInterval) {
    self.modelTime = modelTime
    super.init()
  }
}

/// Calls actions in each update of the display that shows a view.
///
/// As Apple documents it, the link is active while it is enabled and its view is in a visible window. A link that does not require
/// continuous updates is called only in updates that something else causes.
/// https://developer.apple.com/documentation/uikit/uiupdatelink
@MainActor
open class UIUpdateLink: NSObject {
  private struct Reference {
    weak var link: UIUpdateLink?
  }

  private static var references: [Reference] = []

  private let view: UIView
  private var actions: [(UIUpdateLink, UIUpdateInfo) -> Void] = []

  /// Creates a link that is not enabled.
  public init(view: UIView) {
    self.view = view
    super.init()
    Self.references.append(Reference(link: self))
  }

  open var isEnabled = false
  open var requiresContinuousUpdates = false

  /// Adds an action that runs in each update, after its events.
  open func addAction(handler: @escaping (UIUpdateLink, UIUpdateInfo) -> Void) { actions.append(handler) }

  private var isActive: Bool { isEnabled && view.window.map { !$0.isHidden } ?? false }

  static var all: [UIUpdateLink] {
    references.removeAll { $0.link == nil }
    return references.compactMap(\.link)
  }

  static var active: [UIUpdateLink] { all.filter(\.isActive) }

  fileprivate func perform(_ info: UIUpdateInfo) {
    for action in actions { action(self, info) }
  }
}

extension UIKitStandIn {
  /// The number of links that are active and require continuous updates.
  public static var continuousUpdateLinks: Int { UIUpdateLink.active.count { $0.requiresContinuousUpdates } }

  /// The number of links that exist.
  public static var updateLinks: Int { UIUpdateLink.all.count }

  /// Produces an update of the display, and calls the actions of all active links.
  public static func updateDisplay(at time: TimeInterval = 0) {
    let info = UIUpdateInfo(modelTime: time)
    for link in UIUpdateLink.active { link.perform(info) }
  }
}
