public import Combine

/// https://developer.apple.com/documentation/swiftui/observedobject
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject> {
  public var wrappedValue: ObjectType

  public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }

  public init(initialValue: ObjectType) { wrappedValue = initialValue }

  public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

  @dynamicMemberLookup
  public struct Wrapper {
    let object: ObjectType

    public subscript<Subject>(
      dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
    ) -> Binding<Subject> {
      let object = object
      return Binding(getValue: { object[keyPath: keyPath] }, setValue: { object[keyPath: keyPath] = $0 })
    }
  }
}

extension ObservedObject: DynamicProperty, ObservedProperty {}

extension ObservedObject: LinkedProperty {
  mutating func link(to node: Node, at offset: Int) { node.observe(wrappedValue, at: offset) }
}
