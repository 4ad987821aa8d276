import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD

/// Many independent pieces of work (parts) at once: what their coordination costs, and how close their total
/// time comes to the ideal.
enum ParallelBenchmarks {
  static var groups: [BenchmarkGroup] {
    [1, 10, 100, 1_000, 10_000].map(coordination) + [waitingClosures]
  }

  static let coordinationCurve = "parallel parts, per part"
  static let limited = "concurrentMap, 64 at once"
  static let parts = "runConcurrently, 64 at once"

  /// Parts that do nothing, so that only the coordination remains.
  private static func coordination(count: Int) -> BenchmarkGroup {
    let bare = "bare task group, a child task each"
    return BenchmarkGroup(
      section: "Parallel", title: "coordinate \(Quantity.count(count, "part"))", unit: "part",
      reference: bare,
      point: CurvePoint(
        coordinationCurve, "parts", count,
        note: "Each run pays for its group once, so a few parts cost more each than many."),
      benchmarks: [
        Benchmark(limited) { iterations in
          for _ in 0..<iterations { blackHole(try await (0..<count).concurrentMap(limit: 64) { $0 }) }
          return iterations * count
        },
        Benchmark(parts) { iterations in
          for _ in 0..<iterations {
            var sum = 0
            await (0..<count).runConcurrently(limit: 64) {
              $0
            } receive: { part, _ in
              sum += part
            }
            blackHole(sum)
          }
          return iterations * count
        },
        Benchmark(bare) { iterations in
          for _ in 0..<iterations {
            let sum = await withTaskGroup(of: Int.self) { group in
              for part in 0..<count { group.addTask { part } }
              return await group.reduce(0, +)
            }
            blackHole(sum)
          }
          return iterations * count
        },
      ])
  }

  static let dashboardTitle = "1,000 parts of 5 ms each, 64 at once"
  static let wallMetric = "wall time ÷ ideal"

  /// Runs before all other groups, because dispatch queues leave threads behind. Those threads would speed
  /// this group up, and would count as threads of this group.
  static var waiting: BenchmarkGroup {
    BenchmarkGroup(
      section: "Parallel", title: dashboardTitle, unit: "dashboard", reference: parts,
      benchmarks: [
        .waitingParts(parts) { count, time, limit in
          await (0..<count).runConcurrently(limit: limit) { _ in
            try await Task.sleep(for: time)
          } receive: { _, _ in
          }
        },
        .waitingParts(limited) { count, time, limit in
          blackHole(
            try await (0..<count).concurrentMap(limit: limit) { _ in try await Task.sleep(for: time) })
        },
      ])
  }

  private static var waitingClosures: BenchmarkGroup {
    let callbacks = "CompletionGroup and a semaphore"
    return BenchmarkGroup(
      section: "Parallel", title: "\(dashboardTitle), closure stage", unit: "dashboard", reference: callbacks,
      benchmarks: [
        .waitingParts(callbacks) { count, time, limit in
          await CallbackParts(count: count, limit: limit).run(each: time)
        }
      ])
  }
}

extension Benchmark {
  /// 1,000 parts of 5 ms each, at most 64 at once, which ideally takes 16 rounds. An operation is one run of all parts.
  fileprivate static func waitingParts(
    _ variant: String,
    _ run: @escaping @Sendable (_ count: Int, _ time: Duration, _ limit: Int) async throws -> Void
  ) -> Benchmark {
    let (count, limit, time) = (1_000, 64, Duration.milliseconds(5))
    let ideal = time * ((count + limit - 1) / limit)
    return Benchmark(variant) {
      let walls = Walls()
      return Workload(
        run: { iterations in
          for _ in 0..<iterations {
            let start = ContinuousClock.now
            try await run(count, time, limit)
            walls.note(start.duration(to: .now))
          }
          return iterations
        },
        metrics: {
          [Metric(ParallelBenchmarks.wallMetric, unit: "×", walls.takeMean().nanoseconds / ideal.nanoseconds)]
        })
    }
  }
}
