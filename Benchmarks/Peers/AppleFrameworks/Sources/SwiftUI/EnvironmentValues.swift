/// https://developer.apple.com/documentation/swiftui/environmentkey
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

/// https://developer.apple.com/documentation/swiftui/environmentvalues
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]
  private var version = Version()

  public init() {}

  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { self[ObjectIdentifier(key)] = newValue }
  }

  /// The value with an identifier: a key, or the type of an observable object.
  subscript(identifier: ObjectIdentifier) -> Any? {
    get { values[identifier] }
    set {
      values[identifier] = newValue
      version = Version()
    }
  }

  /// Whether these values and `other` are copies of the same values.
  func isCopy(of other: EnvironmentValues) -> Bool { version === other.version }

  private final class Version {}
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
