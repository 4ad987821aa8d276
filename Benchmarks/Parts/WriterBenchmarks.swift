import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Foundation
import Synchronization

/// One state and a growing number of tasks that change it at once.
enum WriterBenchmarks {
  static let updateCurve = "updates from several writers, per update"
  static let update = "ObservableState.update"
  static let floor = "bare Mutex: lock, add, unlock"

  static var groups: [BenchmarkGroup] { [1, 4, 16, 64].map(updates) }

  /// The full title of the group with the most writers.
  static let crowd = "State / updates from 64 writers"

  private static func updates(writers: Int) -> BenchmarkGroup {
    BenchmarkGroup(
      section: "State", title: "updates from \(Quantity.count(writers, "writer"))", unit: "update",
      reference: floor,
      point: CurvePoint(
        updateCurve, "writers", writers,
        note: """
          The writers start together. From the second writer on, the lock's cache line moves between the cores, and the bare \
          lock pays the same. More writers than cores take turns.
          """),
      benchmarks: [
        .writes(update, from: writers, subject: { ObservableState(0) }) { $0.update { $0 &+= 1 } },
        .writes(floor, from: writers, subject: { LockedValue() }) { $0.add() },
      ])
  }
}

extension Benchmark {
  /// Writes to one subject from `writers` tasks that start together. An operation is one write.
  fileprivate static func writes<Subject: Sendable>(
    _ variant: String, from writers: Int, subject: @escaping @Sendable () -> Subject,
    write: @escaping @Sendable (Subject) -> Void
  ) -> Benchmark {
    Benchmark(variant, subject: subject) { subject, iterations in
      let start = StartingLine(for: min(writers, ProcessInfo.processInfo.activeProcessorCount))
      await withTaskGroup { group in
        for _ in 0..<writers {
          group.addTask {
            start.wait()
            for _ in 0..<iterations { write(subject) }
          }
        }
      }
      return iterations * writers
    }
  }
}

/// Lets the first writers of a batch begin only when one of them runs on each core.
///
/// A thread takes up to a millisecond to wake, as long as a whole batch. Without this line, the first writers of
/// some batches would be done before any other writer ran, and those batches would measure no contention.
private final class StartingLine: Sendable {
  private let missing: Atomic<Int>

  init(for runners: Int) { missing = Atomic(runners) }

  /// Counts the caller as present, and keeps its thread busy until nobody is missing.
  ///
  /// The caller starts after 10 ms in any case: a process can have fewer threads for tasks than cores.
  func wait() {
    missing.subtract(1, ordering: .relaxed)
    let deadline = ContinuousClock.now + .milliseconds(10)
    while missing.load(ordering: .relaxed) > 0, ContinuousClock.now < deadline {}
  }
}
