/// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension View where Body == Never {
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: View {
  public typealias Body = Never
}

/// A view that the stand-in implements.
@MainActor
protocol PrimitiveView: View where Body == Never {
  /// Returns the views inside this view. What this function reads is observed.
  func children(of node: Node) -> [Child]
}

/// The description of a view inside another view.
struct Child {
  /// The identity of the view among the children of its parent, together with its type.
  let position: AnyHashable
  let view: any View
  var environment: EnvironmentValues?
  var layer = Node.Layer.content

  init(
    _ view: any View, at position: AnyHashable = 0, environment: EnvironmentValues? = nil,
    layer: Node.Layer = .content
  ) {
    self.position = position
    self.view = view
    self.environment = environment
    self.layer = layer
  }
}
