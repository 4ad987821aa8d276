import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Dispatch

/// What it costs to enter an isolation and to return.
enum HopBenchmarks {
  static var groups: [BenchmarkGroup] {
    [1, 4].map(calls)
  }

  private static func calls(tasks: Int) -> BenchmarkGroup {
    BenchmarkGroup(
      section: "Isolation", title: "calls from \(Quantity.count(tasks, "task"))", unit: "call",
      reference: "plain actor",
      benchmarks: [
        .calls("plain actor", from: tasks, subject: { PlainCounter() }) { await $0.add() }.asFloor,
        .calls("view model actor", from: tasks, subject: { IsolatedCounter() }) {
          await $0.add()
        },
        .calls("actor on a queue", from: tasks, subject: { queueCounter }) { await $0.add() },
        .calls("queue, sync", from: tasks, subject: { QueueCounter() }) { $0.add() }.asFloor,
        .calls("queue, async and a continuation", from: tasks, subject: { QueueCounter() }) { counter in
          await unsafe withUnsafeContinuation { continuation in
            counter.add { unsafe continuation.resume() }
          }
        },
      ])
  }

  private static var queueCounter: IsolatedCounter {
    IsolatedCounter(on: QueueIsolation(DispatchQueue(label: "isolation")))
  }
}

extension Benchmark {
  /// Calls to one subject from `tasks` tasks at once. An operation is one call.
  static func calls<Subject: Sendable>(
    _ variant: String, from tasks: Int, subject: @escaping @Sendable () -> Subject,
    call: @escaping @Sendable (Subject) async -> Void
  ) -> Benchmark {
    Benchmark(variant, subject: subject) { subject, iterations in
      await withTaskGroup { group in
        for _ in 0..<tasks {
          group.addTask {
            for _ in 0..<iterations { await call(subject) }
          }
        }
      }
      return iterations * tasks
    }
  }
}
