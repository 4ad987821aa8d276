import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Synchronization

/// Compares `EventChannel` with an unbounded `AsyncStream` for each observer. Every event reaches every observer.
enum EventBenchmarks {
  static var groups: [BenchmarkGroup] {
    [1, 100].map(delivery) + [reading]
  }

  static let readingTitle =
    "\(Quantity.count(StateBenchmarks.burst, "event")), sent and then read by one observer"
  static let stream = "EventChannel, AsyncStream"
  static let bareStream = "bare AsyncStream, which reads a counter"

  /// What `AsyncStream` itself costs: it calls its closure for each element, behind a cancellation handler.
  ///
  /// No `AsyncStream` costs less, whatever it reads from. The concrete sequence has no such layer.
  private static var reading: BenchmarkGroup {
    let burst = StateBenchmarks.burst
    return BenchmarkGroup(
      section: "Events", title: readingTitle, unit: "event", reference: bareStream,
      benchmarks: [
        .reading(bareStream) {
          let counter = Counter()
          return AsyncStream {
            let count = counter.increment()
            return count > burst ? nil : count
          }
        }.asFloor,
        .reading(stream) { sent { $0.stream() } },
        .reading("EventChannel, concrete") { sent { $0.events() } },
        .reading("AsyncStream, by hand") {
          let source = BareStream()
          for event in 1...burst { source.send(event) }
          source.finish()
          return source.values
        },
      ])
  }

  /// An observer of a channel that has sent all events and is finished.
  private static func sent<Events>(_ observe: (EventChannel<Int>) -> Events) -> Events {
    let channel = EventChannel<Int>()
    let events = observe(channel)
    for event in 1...StateBenchmarks.burst { channel.send(event) }
    channel.finish()
    return events
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func increment() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
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

extension Benchmark {
  /// Makes the events of a burst, and reads them to their end.
  fileprivate static func reading<Events: AsyncSequence<Int, Never> & SendableMetatype>(
    _ variant: String, _ events: @escaping @Sendable () -> Events
  ) -> Benchmark where Events.AsyncIterator: SendableMetatype {
    Benchmark(variant) { iterations in
      var count = 0
      for _ in 0..<iterations {
        for await event in events() {
          blackHole(event)
          count += 1
        }
      }
      return count
    }
  }
}
