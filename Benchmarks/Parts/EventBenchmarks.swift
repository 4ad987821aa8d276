import AsyncViewModels
import AsyncViewModelsBenchmarkHarness

/// Compares `EventChannel` with an unbounded `AsyncStream` for each observer. Every event reaches every observer.
enum EventBenchmarks {
  static var groups: [BenchmarkGroup] {
    [1, 100].map(delivery)
  }

  private static func delivery(observers: Int) -> BenchmarkGroup {
    let burst = StateBenchmarks.burst
    let handRolled = "AsyncStream per observer, by hand"
    let title =
      "\(Quantity.count(burst, "event")), every one delivered to \(Quantity.count(observers, "observer"))"
    return BenchmarkGroup(
      section: "Events", title: title, unit: "delivery", reference: handRolled,
      benchmarks: [
        .bursts(
          "EventChannel, concrete", of: burst, to: observers,
          source: { EventChannel<Int>() }, values: { $0.events() }, send: { $0.send($1) }),
        .bursts(
          "EventChannel, AsyncStream", of: burst, to: observers,
          source: { EventChannel<Int>() }, values: { $0.stream() }, send: { $0.send($1) }),
        .bursts(
          handRolled, of: burst, to: observers,
          source: { HandRolledBroadcaster(0, bufferingPolicy: .unbounded) }, values: { $0.stream() },
          send: { $0.send($1) }),
      ])
  }
}
