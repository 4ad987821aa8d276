public import Observation

/// https://developer.apple.com/documentation/swiftui/environment
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let read: (EnvironmentValues) -> Value
  private var values: EnvironmentValues?

  /// https://developer.apple.com/documentation/swiftui/environment/init(_:)
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }

  /// https://developer.apple.com/documentation/swiftui/environment/init(_:)-7pint
  public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
    read = { values in
      guard let object = values[ObjectIdentifier(objectType)] as? Value else {
        fatalError(
          """
          No Observable object of type \(objectType) found. A View.environment(_:) for \(objectType) may be \
          missing as an ancestor of this view.
          """)
      }
      return object
    }
  }

  /// https://developer.apple.com/documentation/swiftui/environment/init(_:)-8slkf
  public init<T>(_ objectType: T.Type) where Value == T?, T: AnyObject, T: Observable {
    read = { $0[ObjectIdentifier(objectType)] as? T }
  }

  /// Outside a view that a host evaluates, the default value.
  public var wrappedValue: Value { read(values ?? EnvironmentValues()) }
}

extension Environment: LinkedProperty {
  mutating func link(to node: Node, at offset: Int) { values = node.environment }
}

extension View {
  /// https://developer.apple.com/documentation/swiftui/view/environment(_:_:)
  nonisolated public func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
  ) -> some View {
    modifier(EnvironmentModifier { $0[keyPath: keyPath] = value })
  }

  /// https://developer.apple.com/documentation/swiftui/view/environment(_:)
  nonisolated public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
    modifier(EnvironmentModifier { $0[ObjectIdentifier(T.self)] = object })
  }

  /// https://developer.apple.com/documentation/swiftui/view/disabled(_:)
  nonisolated public func disabled(_ disabled: Bool) -> some View {
    modifier(EnvironmentModifier { $0.isEnabled = $0.isEnabled && !disabled })
  }
}

private struct EnvironmentModifier {
  let change: (inout EnvironmentValues) -> Void
}

extension EnvironmentModifier: PrimitiveModifier {
  typealias Body = Never

  func children(of node: Node, content: any View) -> [Child] {
    var environment = node.environment
    change(&environment)
    return [Child(content, environment: environment)]
  }
}
