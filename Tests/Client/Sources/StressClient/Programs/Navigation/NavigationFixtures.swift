import AsyncViewModels

/// A route that asks where the model is when it goes away.
final class Visit: Hashable, Sendable {
  private let tour: Tour

  init(_ tour: Tour) {
    self.tour = tour
    tour.living.add()
  }

  static func == (left: Visit, right: Visit) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  deinit {
    _ = tour.model.path.top
    tour.living.add(-1)
  }
}

/// One model for many tasks, and what they have left.
final class Tour: Sendable {
  let model = NavigationModel<Visit>(
    links: DeepLinkParser(scheme: "app", host: "tour") { _ throws(DeepLinkParserError) in [] })
  let left = Tally()
  let living = Tally()

  /// Goes to a route, and leaves some screens.
  ///
  /// - Returns: how many.
  func move(to route: Visit, _ round: Int) -> Int {
    model.push(route)
    switch round % 8 {
    case 0: return model.popToRoot().count
    case 1, 2, 3: return (try? model.pop(to: route).count) ?? 0
    default: return (try? model.pop()) == nil ? 0 : 1
    }
  }

  func checkRefusals() throws {
    try expectError(.popAtRoot) { () throws(RoutePathError<Visit>) in try model.pop() }
    let visit = Visit(self)
    try expectError(.notInPath(visit)) { () throws(RoutePathError<Visit>) in try model.pop(to: visit) }
  }
}
