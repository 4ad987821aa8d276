// Stands in for frameworks of Apple platforms that apps import next to this package. They do not exist on Linux. If two imported
// modules have a type of the same name, the compiler reports the name as ambiguous.

/// A name of StoreKit.
public struct Product: Sendable {
  public let displayName: String

  public init(displayName: String) { self.displayName = displayName }
}

/// A name of SwiftUI.
public struct Bindable<Value> {
  public let wrappedValue: Value

  public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// A name of Combine.
public protocol Scheduler {
  var minimumTolerance: Duration { get }
}
