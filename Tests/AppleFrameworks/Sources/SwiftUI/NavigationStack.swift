/// https://developer.apple.com/documentation/swiftui/navigationstack
public struct NavigationStack<Data, Root: View> {
  /// The path to show. Without one, the node of the stack keeps the path.
  let path: PathAccess?
  let root: Root
}

extension NavigationStack {
  /// https://developer.apple.com/documentation/swiftui/navigationstack/init(path:root:)
  public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where
    Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection,
    Data.Element: Hashable
  {
    let access = PathAccess(
      read: { path.wrappedValue.map { AnyHashable($0) } },
      write: { values in
        path.wrappedValue = Data(
          values.map { value in
            guard let element = value.base as? Data.Element else {
              fatalError("The path of the navigation stack cannot contain \(value)")
            }
            return element
          })
      })
    self.init(path: access, root: root())
  }

  /// https://developer.apple.com/documentation/swiftui/navigationstack/init(path:root:)
  public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
    let elements = path.elements
    self.init(
      path: PathAccess(read: { elements.wrappedValue }, write: { elements.wrappedValue = $0 }), root: root())
  }

  /// https://developer.apple.com/documentation/swiftui/navigationstack/init(root:)
  public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {
    self.init(path: nil, root: root())
  }
}

extension NavigationStack: View, PrimitiveView {
  public typealias Body = Never

  func children(of node: Node) -> [Child] {
    let stack = node.effect(create: StackEffect.init)
    stack.path = path ?? stack.ownPath
    stack.readPath()
    let screens = stack.shown.enumerated().map { index, value in
      let position = ScreenPosition(index: index, value: value)
      var environment = node.environment
      environment.dismiss = DismissAction(stack, screen: position)
      return Child(
        DestinationView(value: value, stack: stack), at: position, environment: environment,
        layer: index == stack.shown.count - 1 ? .content : .covered)
    }
    return [Child(root, at: "root", layer: screens.isEmpty ? .content : .covered)] + screens
  }
}

/// The identity of a screen of a navigation stack.
struct ScreenPosition: Hashable {
  let index: Int
  let value: AnyHashable
}

/// The view of an element of a path.
private struct DestinationView {
  let value: AnyHashable
  unowned let stack: StackEffect
}

extension DestinationView: View, PrimitiveView {
  typealias Body = Never

  func children(of node: Node) -> [Child] {
    let type = type(of: value.base)
    guard let destination = stack.destination(for: type).value else {
      fatalError("The navigation stack has no navigationDestination(for: \(type).self), which its path needs")
    }
    return [Child(destination.view(value.base))]
  }
}
