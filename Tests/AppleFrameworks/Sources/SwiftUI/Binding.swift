/// https://developer.apple.com/documentation/swiftui/binding
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  private let getValue: () -> Value
  private let setValue: (Value) -> Void

  /// https://developer.apple.com/documentation/swiftui/binding/init(get:set:)
  @preconcurrency
  public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    // Like SwiftUI, the stand-in calls the closures without a change of the actor. The compiler does not
    // allow this conversion. The calling convention of these functions is the same.
    getValue = unsafe unsafeBitCast(get, to: (() -> Value).self)
    setValue = unsafe unsafeBitCast(set, to: ((Value) -> Void).self)
  }

  init(getValue: @escaping () -> Value, setValue: @escaping (Value) -> Void) {
    self.getValue = getValue
    self.setValue = setValue
  }

  init(location: StateLocation<Value>) {
    self.init(getValue: { location.value }, setValue: { location.value = $0 })
  }

  public init(projectedValue: Binding<Value>) { self = projectedValue }

  /// https://developer.apple.com/documentation/swiftui/binding/constant(_:)
  public static func constant(_ value: Value) -> Binding<Value> {
    Binding(getValue: { value }, setValue: { _ in })
  }

  public var wrappedValue: Value {
    get { getValue() }
    nonmutating set { setValue(newValue) }
  }

  public var projectedValue: Binding<Value> { self }

  /// https://developer.apple.com/documentation/swiftui/binding/subscript(dynamicmember:)
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding<Subject>(
      getValue: { getValue()[keyPath: keyPath] },
      setValue: { newValue in
        var value = getValue()
        value[keyPath: keyPath] = newValue
        setValue(value)
      })
  }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

extension Binding: DynamicProperty {}
