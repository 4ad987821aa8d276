import AsyncViewModelsBenchmarkHarness

/// What this package promises in comparison with its peers.
enum PeerTargets {
  static var all: [Target] { bursts + events }

  private static var bursts: [Target] {
    [1, 100, 1_000].flatMap { observers in
      let group = "State / \(StateGroups.title(observers: observers))"
      let work = "burst to \(Quantity.count(observers, "observer")), per value and observer"
      return [
        Target(
          work, "≥ 5 × faster than CurrentValueSubject with sinks", .atLeast(5),
          .speed(of: "\(group) / \(Variant.state)", against: "\(group) / \(Variant.currentValueSubject)")),
        Target(
          work, "≥ 5 × faster than Observations, where sender and observers share an actor", .atLeast(5),
          .speed(of: "\(group) / \(Variant.stateOnActor)", against: "\(group) / \(Variant.observations)")),
      ]
    }
  }

  private static var events: [Target] {
    [1, 100].map { observers in
      let group = "Events / \(EventGroups.title(observers: observers))"
      return Target(
        "events to \(Quantity.count(observers, "observer")), per delivery", "≥ 20 × faster than share",
        .atLeast(20), .speed(of: "\(group) / \(Variant.events)", against: "\(group) / \(Variant.share)"))
    }
  }
}
