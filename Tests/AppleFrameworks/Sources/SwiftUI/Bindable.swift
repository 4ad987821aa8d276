public import Observation

/// https://developer.apple.com/documentation/swiftui/bindable
@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Value> {
  public var wrappedValue: Value

  @available(*, unavailable, message: "The wrapped value must be an object that conforms to Observable")
  public init(wrappedValue: Value) {
    fatalError("The wrapped value must be an object that conforms to Observable")
  }

  public var projectedValue: Bindable<Value> { self }
}

extension Bindable where Value: AnyObject {
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<
    Subject
  > {
    let object = wrappedValue
    return Binding(getValue: { object[keyPath: keyPath] }, setValue: { object[keyPath: keyPath] = $0 })
  }
}

extension Bindable where Value: AnyObject, Value: Observable {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public init(projectedValue: Bindable<Value>) { self = projectedValue }
}

extension Bindable: Sendable where Value: Sendable {}
