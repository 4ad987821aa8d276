public import Foundation

/// Tracked objects that are still alive.
public struct LeakError: Error, Equatable {
  /// The names of the live objects, in the order in which they were tracked.
  public let survivors: [String]

  /// Creates an error that names the live objects.
  public init(survivors: [String]) {
    self.survivors = survivors
  }
}

extension LeakError: LocalizedError, CustomStringConvertible {
  public var description: String {
    "These objects have leaked (\(survivors.count)): \(survivors.joined(separator: ", "))"
  }

  public var errorDescription: String? { description }
}
