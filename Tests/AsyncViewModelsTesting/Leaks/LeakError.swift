/// Objects that should have gone away, but are alive.
public struct LeakError: Error, Equatable {
  /// The names of what lives, in the order in which it was tracked.
  public let survivors: [String]

  public init(survivors: [String]) {
    self.survivors = survivors
  }
}

extension LeakError: CustomStringConvertible {
  public var description: String {
    "\(survivors.count) leaked: \(survivors.joined(separator: ", "))"
  }
}
