/// https://developer.apple.com/documentation/swiftui/dynamicproperty
public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

/// A dynamic property that the host connects to the storage of a view, before it calls `update()`.
@MainActor
protocol LinkedProperty: DynamicProperty {
  /// - Parameter offset: The place of this property in the view, which identifies its storage.
  mutating func link(to node: Node, at offset: Int)
}
