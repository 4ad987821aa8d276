/// What the user sees of a view, apart from the views inside it.
enum Element {
  case text(String)
  case navigationTitle(String)
  case button(role: ButtonRole?, action: @MainActor () -> Void)
  case field(title: String, shown: String, text: Binding<String>)
  case toggle(shown: Bool, isOn: Binding<Bool>)
  case link(value: AnyHashable?)
  case progress
}

extension Node {
  /// This node and those inside it that the user sees, from top to bottom.
  var visible: [Node] {
    [self] + children.filter { $0.layer == .content }.flatMap { $0.visible }
  }

  var visibleTexts: [String] {
    visible.compactMap { node in
      switch node.element {
      case .text(let text), .navigationTitle(let text): text
      case .field(let title, let shown, _): shown.isEmpty ? title : shown
      case .button, .toggle, .link, .progress, nil: nil
      }
    }
  }

  /// The title of a control.
  var title: String {
    if case .field(let title, _, _) = element { return title }
    return visibleTexts.joined(separator: " ")
  }

  /// The nearest effect of a type around this node, on the same screen or sheet.
  func enclosing<E: Effect>(_ type: E.Type) -> E? {
    layer == .sheet ? nil : parent?.effect as? E ?? parent?.enclosing(type)
  }

  /// Calls a function for this node and all nodes inside it, those inside a node before the node itself.
  ///
  /// - Parameter isVisible: Whether the view around this node is on the screen.
  func visitAll(isVisible: Bool, _ body: (Node, Bool) -> Void) {
    let isVisible = isVisible && layer != .covered
    for child in children { child.visitAll(isVisible: isVisible, body) }
    body(self, isVisible)
  }
}
