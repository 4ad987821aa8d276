/// A button that the user sees.
public struct ShownButton: Equatable, Sendable {
  public let title: String
  public let role: ButtonRole?
  public let isEnabled: Bool

  public init(_ title: String, role: ButtonRole? = nil, isEnabled: Bool = true) {
    self.title = title
    self.role = role
    self.isEnabled = isEnabled
  }

  @MainActor
  init(_ node: Node, role: ButtonRole?) {
    self.init(node.title, role: role, isEnabled: node.environment.isEnabled)
  }
}

extension ViewHost {
  /// What the user can use: the sheet in front, or the screen if there is no sheet.
  var front: Node { frontSheet?.root ?? root }

  /// The texts of the screen, from top to bottom, without those of a sheet or an alert. A text field has its
  /// text, or its title if the text is empty.
  public var texts: [String] { root.visibleTexts }

  /// Whether the sheet in front, or the screen if there is no sheet, shows a text.
  public func isShowing(_ text: String) -> Bool { front.visibleTexts.contains(text) }

  /// Whether the sheet in front, or the screen if there is no sheet, shows a progress view.
  public var isShowingProgress: Bool {
    front.visible.contains { if case .progress = $0.element { true } else { false } }
  }

  /// The buttons of the sheet in front, or of the screen if there is no sheet, from top to bottom.
  public var buttons: [ShownButton] { front.buttons.map { $0.shown } }

  /// Taps a button.
  ///
  /// - Parameter index: Which one, if there are several buttons with this title.
  public func tap(_ title: String, at index: Int = 0) {
    let (node, action) = control(title, at: index, kind: "button") { node -> (@MainActor () -> Void)? in
      if case .button(_, let action) = node.element { action } else { nil }
    }
    checkEnabled(node)
    action()
  }

  /// Taps a navigation link.
  public func tapLink(_ title: String, at index: Int = 0) {
    let (node, value) = control(title, at: index, kind: "navigation link") { node -> AnyHashable? in
      if case .link(let value) = node.element { value } else { nil }
    }
    checkEnabled(node)
    guard let stack = node.enclosing(StackEffect.self) else {
      fatalError("The navigation link \"\(title)\" is not in a navigation stack.")
    }
    stack.push(value)
  }

  /// Replaces the text of a text field.
  public func type(_ text: String, into title: String) {
    let (node, binding) = control(title, at: 0, kind: "text field") { node -> Binding<String>? in
      if case .field(_, _, let text) = node.element { text } else { nil }
    }
    checkEnabled(node)
    binding.wrappedValue = text
  }

  /// Taps a toggle.
  public func toggle(_ title: String) {
    let (node, binding) = control(title, at: 0, kind: "toggle") { node -> Binding<Bool>? in
      if case .toggle(_, let isOn) = node.element { isOn } else { nil }
    }
    checkEnabled(node)
    binding.wrappedValue.toggle()
  }

  /// Whether a toggle is on.
  public func isOn(_ title: String) -> Bool {
    control(title, at: 0, kind: "toggle") { node in
      if case .toggle(let isOn, _) = node.element { isOn } else { nil }
    }.part
  }

  /// Runs the action of the first view with `refreshable`, and waits for its end.
  public func refresh() async {
    checkNoAlert()
    guard let effect = front.visible.lazy.compactMap({ $0.effect as? RefreshEffect }).first else {
      fatalError("The screen has no view with refreshable.")
    }
    await effect.refresh()
  }

  private func control<Part>(
    _ title: String, at index: Int, kind: String, _ part: (Node) -> Part?
  ) -> (node: Node, part: Part) {
    checkNoAlert()
    let controls = front.visible.compactMap { node in part(node).map { (node: node, part: $0) } }
    let matches = controls.filter { $0.node.title == title }
    guard matches.indices.contains(index) else {
      let titles = controls.map { $0.node.title }
      fatalError("There is no \(kind) \"\(title)\" at index \(index). The titles are \(titles).")
    }
    return matches[index]
  }

  func checkNoAlert() {
    if let alert { fatalError("The alert \"\(alert.title)\" covers the screen. Call tapAlert(_:) first.") }
  }

  private func checkEnabled(_ node: Node) {
    guard node.environment.isEnabled else { fatalError("\"\(node.title)\" is disabled.") }
  }
}

extension Node {
  var buttons: [(shown: ShownButton, action: @MainActor () -> Void)] {
    visible.compactMap { node in
      guard case .button(let role, let action) = node.element else { return nil }
      return (ShownButton(node, role: role), action)
    }
  }
}
