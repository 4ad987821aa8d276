/// https://developer.apple.com/documentation/swiftui/horizontalalignment
public enum HorizontalAlignment: Sendable {
  case leading, center, trailing
}

/// https://developer.apple.com/documentation/swiftui/verticalalignment
public enum VerticalAlignment: Sendable {
  case top, center, bottom
}

/// https://developer.apple.com/documentation/swiftui/vstack
///
/// The stand-in ignores the alignment. It has no parameter for the spacing, whose type comes from
/// CoreGraphics.
public struct VStack<Content: View> {
  let content: Content

  public init(alignment: HorizontalAlignment = .center, @ViewBuilder content: () -> Content) {
    self.content = content()
  }
}

extension VStack: View, PrimitiveView {
  public typealias Body = Never
  func children(of node: Node) -> [Child] { [Child(content)] }
}

/// https://developer.apple.com/documentation/swiftui/hstack
///
/// See ``VStack``.
public struct HStack<Content: View> {
  let content: Content

  public init(alignment: VerticalAlignment = .center, @ViewBuilder content: () -> Content) {
    self.content = content()
  }
}

extension HStack: View, PrimitiveView {
  public typealias Body = Never
  func children(of node: Node) -> [Child] { [Child(content)] }
}
