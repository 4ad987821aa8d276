/// https://developer.apple.com/documentation/swiftui/navigationpath
public struct NavigationPath {
  var elements: [AnyHashable] = []

  public init() {}

  public var count: Int { elements.count }
  public var isEmpty: Bool { elements.isEmpty }

  public mutating func append<V: Hashable>(_ value: V) { elements.append(AnyHashable(value)) }

  public mutating func removeLast(_ k: Int = 1) { elements.removeLast(k) }
}

extension NavigationPath: Equatable {}
