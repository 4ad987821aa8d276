/// https://developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView {
  public init() {}
}

extension EmptyView: View, PrimitiveView {
  public typealias Body = Never
  func children(of node: Node) -> [Child] { [] }
}

/// https://developer.apple.com/documentation/swiftui/tupleview
public struct TupleView<T> {
  public var value: T

  public init(_ value: T) { self.value = value }
}

extension TupleView: View, PrimitiveView {
  public typealias Body = Never

  func children(of node: Node) -> [Child] {
    Mirror(reflecting: value).children.enumerated().map { index, element in
      guard let view = element.value as? any View else {
        fatalError("\(T.self) contains other values than views")
      }
      return Child(view, at: index)
    }
  }
}

/// https://developer.apple.com/documentation/swiftui/group
public struct Group<Content> {
  let content: Content
}

extension Group: View, PrimitiveView where Content: View {
  public typealias Body = Never

  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  func children(of node: Node) -> [Child] { [Child(content)] }
}

/// https://developer.apple.com/documentation/swift/optional (`Optional` is a view if it wraps a view)
extension Optional: View where Wrapped: View {
  public typealias Body = Never
}

extension Optional: PrimitiveView where Wrapped: View {
  func children(of node: Node) -> [Child] { map { [Child($0)] } ?? [] }
}

/// https://developer.apple.com/documentation/swiftui/_conditionalcontent
public struct _ConditionalContent<TrueContent, FalseContent> {
  enum Storage {
    case trueContent(TrueContent)
    case falseContent(FalseContent)
  }

  let storage: Storage
}

extension _ConditionalContent: View, PrimitiveView where TrueContent: View, FalseContent: View {
  public typealias Body = Never

  func children(of node: Node) -> [Child] {
    switch storage {
    case .trueContent(let content): [Child(content, at: true)]
    case .falseContent(let content): [Child(content, at: false)]
    }
  }
}

/// https://developer.apple.com/documentation/swiftui/anyview
public struct AnyView {
  let view: any View

  public init<V: View>(_ view: V) { self.view = view }

  public init<V: View>(erasing view: V) { self.view = view }
}

extension AnyView: View, PrimitiveView {
  public typealias Body = Never
  func children(of node: Node) -> [Child] { [Child(view)] }
}
