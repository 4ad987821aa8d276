/// https://developer.apple.com/documentation/swiftui/state
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let initialValue: Value
  private var location: StateLocation<Value>?

  public init(wrappedValue value: Value) { initialValue = value }

  public init(initialValue value: Value) { initialValue = value }

  /// Outside a view that a host evaluates, the initial value. SwiftUI then ignores new values, too.
  public var wrappedValue: Value {
    get { location?.value ?? initialValue }
    nonmutating set { location?.value = newValue }
  }

  public var projectedValue: Binding<Value> {
    guard let location else { return .constant(initialValue) }
    return Binding(location: location)
  }
}

extension State: Sendable where Value: Sendable {}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

extension State: LinkedProperty {
  mutating func link(to node: Node, at offset: Int) {
    location = node.slot(at: offset) { StateLocation(initialValue) }
  }
}
