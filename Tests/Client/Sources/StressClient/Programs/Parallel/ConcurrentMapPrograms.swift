import AsyncViewModels
import Synchronization

extension StressProgram {
  static var parallel: [StressProgram] { maps + runsConcurrently }

  private static var maps: [StressProgram] {
    [
      StressProgram(
        name: "concurrent-map",
        summary: "results are in order, the limit is never exceeded, and no transform runs after the return",
        run: map),
      StressProgram(
        name: "concurrent-map-ends",
        summary:
          "a map ends if a transform throws or the caller is cancelled; an invalid limit starts no transform",
        run: ends),
    ]
  }

  private static let limits: [Int?] = [nil, 1, 2, 5, 100]

  /// Counts the running transforms and records the highest count.
  private final class ConcurrencyMeter: Sendable {
    let running = Tally()
    private let most = Atomic(0)

    var maximum: Int { most.load(ordering: .relaxed) }

    func measure<Output>(_ body: () async throws -> Output) async rethrows -> Output {
      most.max(running.add(), ordering: .relaxed)
      defer { running.add(-1) }
      await Task.yield()
      return try await body()
    }

    func expectFinished(_ limit: Int?) throws(Unexpected) {
      try expectEqual(running.value, 0, "running transforms")
      if let limit { try expect(maximum <= limit, "\(maximum) transforms at the same time under \(limit)") }
    }
  }

  private static func map(load: Load) async throws {
    let (made, freed) = (Tally(), Tally())
    try await load.inParallel { task in
      for round in 1...200 {
        let limit = limits[round % limits.count]
        let meter = ConcurrencyMeter()
        let numbers = try await (0..<20).concurrentMap(limit: limit) { number in
          await meter.measure { number * round }
        }
        try meter.expectFinished(limit)
        try expectEqual(numbers, (0..<20).map { $0 * round }, "the results of the map")
        let objects = try await Set(0..<5).concurrentMap { _ in
          made.add()
          return DeinitAction { freed.add() }
        }
        try expectEqual(objects.count, 5, "objects that the map created")
        let none = try await [Int]().concurrentMap(limit: limit) { $0 }
        try expect(none.isEmpty, "the map of an empty collection returned \(none)")
      }
    }
    try expectEqual(freed.value, made.value, "released objects")
  }

  private static func ends(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...120 {
        let limit = limits[round % limits.count]
        let (meter, started, ended, made, freed) = (ConcurrencyMeter(), Tally(), Tally(), Tally(), Tally())
        let caller = Task {
          try await (0..<30).concurrentMap(limit: limit) { number in
            started.add()
            defer { ended.add() }
            return try await meter.measure {
              if number == round % 30, round % 2 == 0 { throw TestError() }
              if number % 7 == 0 { await Task.yield() }
              made.add()
              return DeinitAction { freed.add() }
            }
          }
          .count
        }
        if round % 3 == 0 { await atOnce({ caller.cancel() }, { caller.cancel() }, { caller.cancel() }) }
        switch await caller.result {
        case .success(let count):
          try expect(count == 30 && round % 2 > 0, "a map with an error returned \(count) results")
        case .failure(let error):
          let isExpected =
            error is TestError && round % 2 == 0 || error is CancellationError && round % 3 == 0
          try expect(isExpected, "the map failed with \(error)")
        }
        try meter.expectFinished(limit)
        try expectEqual(ended.value, started.value, "ended transforms")
        await until { freed.value == made.value }
        try await expectInvalidLimit(-round % 3)
      }
    }
  }

  private static func expectInvalidLimit(_ limit: Int) async throws {
    let started = Tally()
    do {
      _ = try await [1, 2].concurrentMap(limit: limit) { _ in started.add() }
      throw Unexpected(description: "a limit of \(limit) was accepted")
    } catch let error as ParallelError {
      try expectEqual(error, .invalidLimit(limit), "the error for an invalid limit")
      try expect(error.description.contains("\(limit)"), "the error does not name the limit: \(error)")
    }
    try expectEqual(started.value, 0, "transforms started with an invalid limit")
  }
}
