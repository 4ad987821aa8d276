import AsyncViewModels

extension StressProgram {
  static var withDeadlines: [StressProgram] {
    [
      StressProgram(
        name: "deadline",
        summary: "the operation's end or the deadline, never both, and nothing runs when the call returns",
        run: structured)
    ]
  }

  static let long = Duration.seconds(3_600)

  private static func structured(load: Load) async throws {
    let clock = ContinuousClock()
    try await load.inParallel { task in
      for round in 1...100 {
        let (begun, ended) = (Tally(), Tally())
        let short = Duration.microseconds(200 + task)
        let caller = Task {
          try await withDeadline(short) {
            begun.add()
            defer { ended.add() }
            // As long as the deadline, or until it cancels.
            try await Task.sleep(for: round % 2 == 0 ? short : long)
            return round
          }
        }
        if round % 5 == 0 { await atOnce({ caller.cancel() }, { caller.cancel() }) }
        try expectEnding(await caller.result, round, deadline: short, isCancelled: round % 5 == 0)
        try expectEqual(ended.value, begun.value, "operations that have ended when their call returns")
        try expectEqual(begun.value, 1, "operations that began")

        let quick = try await withDeadline(long, clock: SuspendingClock()) {
          await Task.yield()
          return round
        }
        try expectEqual(quick, round, "what came in time")
        let shared = clock.now.advanced(by: long)
        async let first = withDeadline(until: shared, clock: clock) { round }
        async let second = withDeadline(until: shared, clock: clock) { -round }
        try expectEqual(try await first + second, 0, "what two operations with one deadline returned")
        try await expectExpiry(upTo: short) {
          try await withDeadline(until: clock.now.advanced(by: short), clock: clock) {
            try await Task.sleep(for: long)
          }
        }
        try await expectRefusal { try await withDeadline(long) { throw TestError() } }
        try await expectNotBegun { work in try await withDeadline(.zero) { work() } }
        try await expectNotBegun { work in
          try await withDeadline(until: clock.now.advanced(by: .zero - short), clock: clock) { work() }
        }
      }
    }
  }

  static func expectEnding(
    _ result: Result<Int, any Error>, _ number: Int, deadline: Duration, isCancelled: Bool
  ) throws(Unexpected) {
    switch result {
    case .success(let value): try expectEqual(value, number, "the value of an operation with a deadline")
    case .failure(let error as DeadlineExceeded):
      try expectEqual(error, DeadlineExceeded(duration: deadline), "the error of a deadline")
      try expect(error.description.contains("\(deadline)"), "an error without its deadline: \(error)")
    case .failure(let error):
      try expect(isCancelled && error is CancellationError, "a call with a deadline failed with \(error)")
    }
  }

  /// A deadline that was given as an instant names what was left of it.
  static func expectExpiry(upTo limit: Duration, _ call: () async throws -> Void) async throws {
    do {
      try await call()
      throw Unexpected(description: "a deadline was ignored")
    } catch let error as DeadlineExceeded {
      try expect(error.duration <= limit, "\(error.duration) were left of \(limit)")
    }
  }

  static func expectRefusal(_ call: () async throws -> Void) async throws {
    do {
      try await call()
      throw Unexpected(description: "an operation's error was lost")
    } catch is TestError {}
  }

  static func expectNotBegun(
    _ call: (@escaping @Sendable () -> Void) async throws -> Void
  ) async throws {
    let begun = Tally()
    try await expectExpiry(upTo: .zero) { try await call { begun.add() } }
    try expectEqual(begun.value, 0, "operations that began after their deadline")
  }
}
