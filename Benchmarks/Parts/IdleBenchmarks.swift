import AsyncViewModels
import AsyncViewModelsBenchmarkHarness

/// What idle observers cost.
enum IdleBenchmarks {
  static let bytes = "bytes per observer, its task not counted"
  static let allBytes = "bytes per observer, with its task"

  static var groups: [BenchmarkGroup] { [idle(10_000)] }

  private static func idle(_ observers: Int) -> BenchmarkGroup {
    let handRolled = "AsyncStream per observer, by hand"
    return BenchmarkGroup(
      section: "State", title: "\(Quantity.count(observers, "idle observer"))",
      unit: "observer that subscribes",
      reference: handRolled,
      benchmarks: [
        .idle(
          "StateStore, concrete", observers, source: { StateStore(0) }, values: { $0.values() }),
        .idle(
          "StateStore, AsyncStream", observers, source: { StateStore(0) }, values: { $0.states() }),
        .idle(handRolled, observers, source: { HandRolledBroadcaster(0) }, values: { $0.stream() }),
      ])
  }
}

extension Benchmark {
  /// Tasks that subscribe, take the current value, and wait. An operation is one such task.
  ///
  /// The set-up measures the memory of observers without their tasks: one task subscribes and reads for all of them.
  static func idle<Source: Sendable, Values: AsyncSequence & SendableMetatype>(
    _ variant: String, _ size: Int,
    source: @escaping @Sendable () -> Source,
    values: @escaping @Sendable (Source) -> Values
  ) -> Benchmark
  where Values.Element == Int, Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    Benchmark(variant) {
      let alone = await bytes(size, source: source(), values: values)
      let (source, before) = (source(), HeapSize.bytes)
      let subscribers = IdleSubscribers(size) { hasSeen in
        for await _ in values(source) { hasSeen() }
      }
      return Workload(
        run: { iterations in
          for iteration in 0..<iterations {
            if iteration > 0 { await subscribers.leave() }
            await subscribers.subscribe()
          }
          return iterations * size
        },
        metrics: {
          await IdleSubscribers.settle()
          let after = HeapSize.bytes
          await subscribers.leave()
          guard let alone, let before, let after else { return [] }
          return [
            Metric(IdleBenchmarks.bytes, unit: "bytes", alone),
            Metric(IdleBenchmarks.allBytes, unit: "bytes", Double(after - before) / Double(size)),
          ]
        },
        tearDown: { await subscribers.leave() })
    }
  }

  /// The bytes of an observer that has read the current value, without a task that waits for the next value.
  private static func bytes<Source: Sendable, Values: AsyncSequence>(
    _ size: Int, source: Source, values: (Source) -> Values
  ) async -> Double? where Values.Element == Int, Values.Failure == Never {
    let before = HeapSize.bytes
    var observers: [Values.AsyncIterator] = []
    observers.reserveCapacity(size)
    for _ in 0..<size {
      var observer = values(source).makeAsyncIterator()
      blackHole(await observer.next(isolation: #isolation))
      observers.append(observer)
    }
    let after = HeapSize.bytes
    blackHole(observers)
    guard let before, let after else { return nil }
    return Double(after - before) / Double(size)
  }
}
