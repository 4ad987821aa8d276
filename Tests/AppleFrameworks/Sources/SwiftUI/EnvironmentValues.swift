/// https://developer.apple.com/documentation/swiftui/environmentkey
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

/// https://developer.apple.com/documentation/swiftui/environmentvalues
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  public init() {}

  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { self[ObjectIdentifier(key)] = newValue }
  }

  /// The value with an identifier: a key, or the type of an observable object.
  subscript(identifier: ObjectIdentifier) -> Any? {
    get { values[identifier] }
    set { values[identifier] = newValue }
  }

  @MainActor
  func isUnchanged(from old: EnvironmentValues) -> Bool {
    values.count == old.values.count
      && values.allSatisfy { key, value in old.values[key].map { SwiftUI.isUnchanged($0, value) } ?? false }
  }
}

extension EnvironmentValues {
  /// https://developer.apple.com/documentation/swiftui/environmentvalues/isenabled
  public var isEnabled: Bool {
    get { self[EnabledKey.self] }
    set { self[EnabledKey.self] = newValue }
  }

  private enum EnabledKey: EnvironmentKey {
    static var defaultValue: Bool { true }
  }
}
