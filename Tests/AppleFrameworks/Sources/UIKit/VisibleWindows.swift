/// The windows that ``UIKitStandIn/advance()`` lays out.
@MainActor
enum VisibleWindows {
  private struct Reference {
    weak var window: UIWindow?
  }

  private static var references: [Reference] = []

  static func add(_ window: UIWindow) {
    references.removeAll { $0.window == nil || $0.window === window }
    references.append(Reference(window: window))
  }

  static func layOut() {
    for window in references.compactMap({ $0.window }) where !window.isHidden { window.layoutIfNeeded() }
  }
}
