public import Combine

/// https://developer.apple.com/documentation/swiftui/stateobject
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject> {
  private let thunk: () -> ObjectType
  private var storage: Storage?

  public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { self.thunk = thunk }

  /// The object of the view. Outside a view that a host evaluates, SwiftUI creates a new object each time.
  @MainActor @preconcurrency public var wrappedValue: ObjectType { storage?.object ?? thunk() }

  @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    ObservedObject.Wrapper(object: wrappedValue)
  }

  private final class Storage {
    let object: ObjectType
    init(_ object: ObjectType) { self.object = object }
  }
}

extension StateObject: DynamicProperty {}

extension StateObject: LinkedProperty {
  mutating func link(to node: Node, at offset: Int) {
    let storage = node.slot(at: offset) { Storage(thunk()) }
    self.storage = storage
    node.observe(storage.object, at: offset)
  }
}
