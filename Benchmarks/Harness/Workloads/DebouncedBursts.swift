import Synchronization

/// Bursts of values without a pause, of which only the last one passes a debounce.
///
/// The time includes the pause after the last value, so compare the CPU time.
public enum DebouncedBursts {
  /// The number of values in a burst.
  public static let burst = 1_024
  /// The interval of the debounce.
  public static let pause = Duration.milliseconds(1)
  /// The title of a group of these benchmarks.
  public static var title: String {
    "\(Quantity.count(burst, "value")) through a debounce of 1 ms (compare the CPU)"
  }
  /// The name of ``byHand``.
  public static let byHandVariant = "a task for each value, by hand"

  /// Bursts through one sequence, which a task reads.
  ///
  /// - Parameters:
  ///   - values: Makes the sequence of a source. It delivers the last value of each burst.
  ///   - send: Sends a value to the source.
  @inlinable
  public static func sequence<Source: Sendable, Values: AsyncSequence & SendableMetatype>(
    _ variant: String, source: @escaping @Sendable () -> Source,
    values: @escaping @Sendable (Source) -> Values,
    send: @escaping @Sendable (Source, Int) -> Void
  ) -> Benchmark
  where Values.Element == Int, Values.Failure == Never {
    Benchmark(variant) {
      let (source, quiet) = (source(), Latch())
      quiet.expect(1)
      let reader = Task {
        let values = values(source)
        quiet.arrive()
        for await value in values where value == burst { quiet.arrive() }
      }
      await quiet.wait()
      return bursts(until: quiet, send: { send(source, $0) }) {
        reader.cancel()
        await reader.value
      }
    }
  }

  /// A task for each value, which sleeps for the interval, and which the next value cancels.
  public static var byHand: Benchmark {
    Benchmark(byHandVariant) {
      let (latest, quiet) = (LatestTask(), Latch())
      return bursts(until: quiet, send: { value in latest.debounce(value, until: quiet) }, tearDown: {})
    }
  }

  /// A task that reads an `AsyncStream` and makes a task for each value, as in ``byHand``.
  ///
  /// - Parameter variant: The name of the benchmark.
  public static func byHand(reading variant: String) -> Benchmark {
    Benchmark(variant) {
      let (source, latest, quiet) = (BareStream(), LatestTask(), Latch())
      let reader = Task {
        for await value in source.values { latest.debounce(value, until: quiet) }
      }
      return bursts(until: quiet, send: { source.send($0) }) {
        reader.cancel()
        await reader.value
      }
    }
  }

  /// Sends a burst in each iteration, and waits until its last value has passed the debounce.
  public static func bursts(
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

    func debounce(_ value: Int, until quiet: Latch) {
      let next = Task {
        guard (try? await Task.sleep(for: pause)) != nil, value == burst else { return }
        quiet.arrive()
      }
      let former = task.withLock { task in
        defer { task = next }
        return task
      }
      former?.cancel()
    }
  }
}
