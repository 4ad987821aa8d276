/// https://developer.apple.com/documentation/swiftui/navigationlink
public struct NavigationLink<Label: View, Destination: View> {
  let value: AnyHashable?
  let label: Label
}

extension NavigationLink where Destination == Never {
  public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
    self.init(value: value.map { AnyHashable($0) }, label: label())
  }

  public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) where Label == Text {
    self.init(value: value) { Text(title) }
  }
}

extension NavigationLink: View, PrimitiveView {
  public typealias Body = Never

  func children(of node: Node) -> [Child] {
    node.element = .link(value: value)
    return [Child(label)]
  }
}
