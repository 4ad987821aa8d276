/// https://developer.apple.com/documentation/swiftui/textfield
public struct TextField<Label: View> {
  let title: String
  let text: Binding<String>
}

extension TextField where Label == Text {
  public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
    self.init(title: String(title), text: text)
  }
}

extension TextField: View, PrimitiveView {
  public typealias Body = Never

  func children(of node: Node) -> [Child] {
    node.element = .field(title: title, shown: text.wrappedValue, text: text)
    return []
  }
}

/// https://developer.apple.com/documentation/swiftui/toggle
public struct Toggle<Label: View> {
  let isOn: Binding<Bool>
  let label: Label

  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    self.isOn = isOn
    self.label = label()
  }
}

extension Toggle where Label == Text {
  public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(title) }
  }
}

extension Toggle: View, PrimitiveView {
  public typealias Body = Never

  func children(of node: Node) -> [Child] {
    node.element = .toggle(shown: isOn.wrappedValue, isOn: isOn)
    return [Child(label)]
  }
}

/// https://developer.apple.com/documentation/swiftui/progressview
public struct ProgressView<Label: View, CurrentValueLabel: View> {}

extension ProgressView where CurrentValueLabel == EmptyView {
  public init() where Label == EmptyView {}
}

extension ProgressView: View, PrimitiveView {
  public typealias Body = Never

  func children(of node: Node) -> [Child] {
    node.element = .progress
    return []
  }
}
