import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsRecorder
import Foundation
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
          Benchmark(floor, subject: { Events() }) { events, iterations in
            for _ in 0..<iterations { events.count() }
            blackHole(events.number)
            return iterations
          }.asFloor,
          Benchmark(event) {
            try FlightRecorder.start(capacity: 1_024)
            return Workload(
              run: { iterations in
                for number in 0..<iterations { FlightEvents.note(.changed, 1 << 20 | 1, UInt64(number)) }
                return iterations
              },
              tearDown: { FlightRecorder.stop() })
          },
        ])
    ]
  }

  /// What each event needs at least: its time and its number.
  private final class Events: Sendable {
    private let last = Atomic(0)
    private let time = Atomic(0)

    var number: Int { last.load(ordering: .relaxed) &+ time.load(ordering: .relaxed) }

    func count() {
      last.add(1, ordering: .relaxed)
      time.store(Self.coarseTime, ordering: .relaxed)
    }

    private static var coarseTime: Int {
      var time = timespec()
      #if canImport(Darwin)
        unsafe clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
      #else
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
      #endif
      return time.tv_nsec
    }
  }
}
