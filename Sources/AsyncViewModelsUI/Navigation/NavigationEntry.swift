import Synchronization

/// One appearance of a route in a navigation tree.
///
/// Two entries are equal only if they are the same appearance, also among several windows. So code
/// that follows a tree can tell a screen that stayed from a screen that was removed and added
/// again, and comparing entries never runs the `==` of a route.
public struct NavigationEntry<Route: Hashable & Sendable>: Hashable, Sendable {
  /// The route that appears.
  public let route: Route
  private let id = AppearanceID()

  /// Creates a new appearance of a route.
  init(_ route: Route) { self.route = route }

  public static func == (first: Self, second: Self) -> Bool { first.id == second.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A number that nothing else in the process has.
struct AppearanceID: Hashable, Sendable {
  private static let last = Atomic<UInt64>(0)

  private let number = last.add(1, ordering: .relaxed).newValue
}
