/// One appearance of a route in a navigation tree.
///
/// Two entries are equal only if they are the same appearance. So code that follows a tree can tell
/// a screen that stayed from a screen that was removed and added again, and comparing entries never
/// runs the `==` of a route.
public struct NavigationEntry<Route: Hashable & Sendable>: Hashable, Sendable {
  /// The route that appears.
  public let route: Route
  private let id: UInt64

  /// - Parameter id: A number that no other entry of the window has.
  init(_ route: Route, id: UInt64) {
    self.route = route
    self.id = id
  }

  public static func == (first: Self, second: Self) -> Bool { first.id == second.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
