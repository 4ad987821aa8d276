import AsyncAlgorithms
import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Dispatch
@unsafe @preconcurrency import OpenCombine
import OpenCombineDispatch
import Synchronization

/// Bursts of values without a pause. Only the last value of each burst passes the debounce. The time includes
/// the pause after that value, so compare the CPU time.
enum DebounceGroups {
  private static let burst = 1_024
  private static let pause = Duration.milliseconds(1)

  static var all: [BenchmarkGroup] {
    [
      BenchmarkGroup(
        section: "Timing",
        title: "\(Quantity.count(burst, "value")) through a debounce of 1 ms (compare the CPU)",
        unit: "value",
        reference: ours,
        benchmarks: [
          sequence(ours) { $0.debounced(for: pause) },
          combine,
          sequence("AsyncStream, debounce of swift-async-algorithms") { $0.debounce(for: pause) },
          byHand,
        ])
    ]
  }

  private static let ours = "AsyncStream, debounced"

  /// One stream for all bursts, read through `debounce`.
  private static func sequence<Debounced: AsyncSequence<Int, Never> & SendableMetatype>(
    _ variant: String, debounce: @escaping @Sendable (AsyncStream<Int>) -> Debounced
  ) -> Benchmark where Debounced.AsyncIterator: SendableMetatype {
    Benchmark(variant) {
      let (source, quiet) = (BareStream(), Latch())
      let reader = Task {
        for await value in debounce(source.values) where value == burst { quiet.arrive() }
      }
      return bursts(until: quiet, send: { source.send($0) }) {
        reader.cancel()
        await reader.value
      }
    }
  }

  private static var combine: Benchmark {
    Benchmark("PassthroughSubject, debounce on a queue, sink") {
      let (source, quiet) = (CombineSubject(PassthroughSubject<Int, Never>()), Latch())
      source.subscribe(
        source.subject.debounce(for: .milliseconds(1), scheduler: DispatchQueue(label: "debounce").ocombine)
          .sink { value in if value == burst { quiet.arrive() } })
      return bursts(until: quiet, send: { source.subject.send($0) }) { source.cancel() }
    }
  }

  /// A task for each value, which the next value cancels.
  private static var byHand: Benchmark {
    Benchmark("a task for each value, by hand") {
      let (latest, quiet) = (LatestTask(), Latch())
      return bursts(
        until: quiet,
        send: { value in
          latest.replace(
            with: Task {
              guard (try? await Task.sleep(for: pause)) != nil, value == burst else { return }
              quiet.arrive()
            })
        }, tearDown: {})
    }
  }

  private static func bursts(
    until quiet: Latch, send: @escaping @Sendable (Int) -> Void,
    tearDown: @escaping @Sendable () async -> Void
  ) -> Workload {
    Workload(
      run: { iterations in
        for _ in 0..<iterations {
          quiet.expect(1)
          for value in 1...burst { send(value) }
          await quiet.wait()
        }
        return iterations * burst
      }, tearDown: tearDown)
  }

  private final class LatestTask: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    func replace(with next: Task<Void, Never>) {
      let former = task.withLock { task in
        defer { task = next }
        return task
      }
      former?.cancel()
    }
  }
}
