/// Many values in a tight loop, to observers that need only the newest.
enum BurstBenchmarks {
  static let burst = 1_024

  static var groups: [BenchmarkGroup] {
    [1, 10, 100, 1_000].map { observers in
      BenchmarkGroup(
        section: "State",
        title: title(observers: observers),
        unit: "value and observer", reference: handRolled,
        benchmarks: [
          .bursts(
            handRolled, of: burst, to: observers,
            source: { HandRolledBroadcaster(0) }, values: { $0.stream() }, send: { $0.send($1) })
        ])
    }
  }

  private static func title(observers: Int) -> String {
    "burst of \(Quantity.grouped(burst)) values to \(Quantity.count(observers, "observer"))"
  }

  static let handRolled = "AsyncStream per observer, by hand"
}
