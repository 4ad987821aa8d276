import AsyncViewModels
import AsyncViewModelsBenchmarkHarness

/// Compares `debounced` with the handwritten debounce that it replaces.
enum DebounceBenchmarks {
  static let section = "Timing"
  static let events = "EventChannel, debounced"
  static let stream = "AsyncStream, debounced"
  static let readingByHand = "AsyncStream, and a task for each value, by hand"

  static var groups: [BenchmarkGroup] {
    [
      BenchmarkGroup(
        section: section, title: DebouncedBursts.title, unit: "value",
        reference: DebouncedBursts.byHandVariant,
        benchmarks: [
          DebouncedBursts.byHand,
          DebouncedBursts.sequence(
            events, source: { EventChannel<Int>() },
            values: { $0.events().debounced(for: DebouncedBursts.pause) }, send: { $0.send($1) }),
          DebouncedBursts.byHand(reading: readingByHand),
          DebouncedBursts.sequence(
            stream, source: { BareStream() }, values: { $0.values.debounced(for: DebouncedBursts.pause) },
            send: { $0.send($1) }),
          DebouncedBursts.sequence(
            "AsyncStream, read without a debounce", source: { BareStream() }, values: { $0.values },
            send: { $0.send($1) }),
        ])
    ]
  }
}
