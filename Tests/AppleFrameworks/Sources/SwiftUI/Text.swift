/// https://developer.apple.com/documentation/swiftui/text
public struct Text: Equatable, Sendable {
  let string: String

  public init<S: StringProtocol>(_ content: S) { string = String(content) }

  public init(verbatim content: String) { string = content }
}

extension Text: View, PrimitiveView {
  public typealias Body = Never

  func children(of node: Node) -> [Child] {
    node.element = .text(string)
    return []
  }
}
