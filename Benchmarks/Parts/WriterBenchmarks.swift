import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Foundation
import Synchronization

/// Measures concurrent updates of one state by 1 to 64 tasks.
enum WriterBenchmarks {
  static let updateCurve = "updates from several writers, per update"
  static let update = "StateStore.update"
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
          The first writers start together, at most one per core. With several writers, the lock's cache line \
          moves between the cores. The bare lock has the same cost. If there are more writers than cores, the \
          writers share the cores.
          """),
      benchmarks: [
        .writes(update, from: writers, subject: { StateStore(0) }) { $0.update { $0 &+= 1 } },
        .writes(floor, from: writers, subject: { LockedValue() }) { $0.add() },
      ])
  }
}

extension Benchmark {
  /// Writes to one subject from `writers` tasks. An operation is one write.
  ///
  /// The first writers start together: one per core, or all writers if there are fewer.
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

/// Makes the first writers of a batch start together: one per core, or all writers if there are fewer.
///
/// A thread can take 1 ms to wake, which is as long as a whole batch. Without this class, the first writers of some
/// batches would finish before another writer runs. Those batches would measure no contention.
private final class StartingLine: Sendable {
  private let missing: Atomic<Int>

  init(for runners: Int) { missing = Atomic(runners) }

  /// Counts the caller as ready, and keeps its thread busy until all expected writers are ready.
  ///
  /// The wait ends after 10 ms at the latest, because a process can have fewer threads for tasks than cores.
  func wait() {
    missing.subtract(1, ordering: .relaxed)
    let deadline = ContinuousClock.now + .milliseconds(10)
    while missing.load(ordering: .relaxed) > 0, ContinuousClock.now < deadline {}
  }
}
