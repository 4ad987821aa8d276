import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsRecorder
import Synchronization

/// Measures an event of the flight recorder.
enum RecorderBenchmarks {
  static let title = "an event of the flight recorder"
  static let event = "recorded event"
  static let floor = "bare: read the clock, count"

  static var groups: [BenchmarkGroup] {
    [
      BenchmarkGroup(
        section: "State", title: title, unit: "event", reference: floor,
        benchmarks: [
          clock,
          Benchmark(event) {
            try FlightRecorder.start(capacity: 1_024)
            return Workload(
              run: { iterations in
                for number in 0..<iterations { FlightEvents.note(.changed, 1 << 20 | 1, UInt64(number)) }
                return iterations
              },
              tearDown: { FlightRecorder.stop() })
          },
        ]),
      BenchmarkGroup(
        section: "State", title: "send to a recorded state", unit: "send", reference: floor,
        benchmarks: [
          clock,
          Benchmark("recorded StateStore, with the fields that changed") {
            try FlightRecorder.start(capacity: 1_024)
            let state = StateStore(Counts())
            return Workload(
              run: { iterations in
                for number in 0..<iterations { state.send(Counts(isLoading: false, count: number)) }
                return iterations
              },
              tearDown: { FlightRecorder.stop() })
          },
        ]),
    ]
  }

  private static var clock: Benchmark {
    Benchmark(floor, subject: { Events() }) { events, iterations in
      for _ in 0..<iterations { events.count() }
      blackHole(events.number)
      return iterations
    }.asFloor
  }

  private struct Counts: Sendable {
    var isLoading = false
    var count = 0
  }

  /// What each event needs at least: its time and its number.
  private final class Events: Sendable {
    private let last = Atomic<UInt64>(0)
    private let time = Atomic<UInt64>(0)

    var number: UInt64 { last.load(ordering: .relaxed) &+ time.load(ordering: .relaxed) }

    func count() {
      last.add(1, ordering: .relaxed)
      time.store(FlightEvents.time(), ordering: .relaxed)
    }
  }
}
