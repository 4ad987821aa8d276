import AsyncAlgorithms
import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Dispatch
@unsafe @preconcurrency import OpenCombine
import OpenCombineDispatch

/// Bursts of values without a pause. Only the last value of each burst passes the debounce. The time includes
/// the pause after that value, so compare the CPU time.
enum DebounceGroups {
  static var all: [BenchmarkGroup] {
    [
      BenchmarkGroup(
        section: "Timing", title: DebouncedBursts.title, unit: "value", reference: ours,
        benchmarks: [
          sequence(ours) { $0.debounced(for: DebouncedBursts.pause) },
          DebouncedBursts.sequence(
            "EventChannel, debounced", source: { EventChannel<Int>() },
            values: { $0.events().debounced(for: DebouncedBursts.pause) }, send: { $0.send($1) }),
          combine,
          sequence("AsyncStream, debounce of swift-async-algorithms") {
            $0.debounce(for: DebouncedBursts.pause)
          },
          DebouncedBursts.byHand,
        ])
    ]
  }

  private static let ours = "AsyncStream, debounced"

  /// One stream for all bursts, read through `debounce`.
  private static func sequence<Debounced: AsyncSequence<Int, Never> & SendableMetatype>(
    _ variant: String, debounce: @escaping @Sendable (AsyncStream<Int>) -> Debounced
  ) -> Benchmark {
    DebouncedBursts.sequence(
      variant, source: { BareStream() }, values: { debounce($0.values) }, send: { $0.send($1) })
  }

  private static var combine: Benchmark {
    Benchmark("PassthroughSubject, debounce on a queue, sink") {
      let (source, quiet) = (CombineSubject(PassthroughSubject<Int, Never>()), Latch())
      source.subscribe(
        source.subject.debounce(for: .milliseconds(1), scheduler: DispatchQueue(label: "debounce").ocombine)
          .sink { value in if value == DebouncedBursts.burst { quiet.arrive() } })
      return DebouncedBursts.bursts(until: quiet, send: { source.subject.send($0) }) { source.cancel() }
    }
  }
}
