/// https://developer.apple.com/documentation/swiftui/viewmodifier
@MainActor @preconcurrency
public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = _ViewModifier_Content<Self>
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

extension ViewModifier where Body == Never {
  public func body(content: Content) -> Never { fatalError("\(Self.self) has no body") }
}

/// The view to which a modifier applies.
public struct _ViewModifier_Content<Modifier> {
  let view: any View
}

extension _ViewModifier_Content: View, PrimitiveView where Modifier: ViewModifier {
  public typealias Body = Never
  func children(of node: Node) -> [Child] { [Child(view)] }
}

/// https://developer.apple.com/documentation/swiftui/modifiedcontent
public struct ModifiedContent<Content, Modifier> {
  public var content: Content
  public var modifier: Modifier

  public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
  public typealias Body = Never
}

extension ModifiedContent: PrimitiveView where Content: View, Modifier: ViewModifier {
  func children(of node: Node) -> [Child] {
    if let modifier = modifier as? any PrimitiveModifier {
      return modifier.children(of: node, content: content)
    }
    var modifier = modifier
    Linker(node: node).link(&modifier)
    return [Child(modifier.body(content: _ViewModifier_Content(view: content)))]
  }
}

/// A modifier that the stand-in implements.
@MainActor
protocol PrimitiveModifier: ViewModifier where Body == Never {
  func children(of node: Node, content: any View) -> [Child]
}

extension View {
  /// https://developer.apple.com/documentation/swiftui/view/modifier(_:)
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}
