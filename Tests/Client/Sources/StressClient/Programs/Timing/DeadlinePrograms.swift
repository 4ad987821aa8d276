import AsyncViewModels

extension StressProgram {
  static var withDeadlines: [StressProgram] {
    [
      StressProgram(
        name: "deadline",
        summary:
          "withDeadline ends with the operation or the deadline, and no operation runs after the return",
        run: structured)
    ]
  }

  static let long = Duration.seconds(3_600)

  private static func structured(load: Load) async throws {
    let clock = ContinuousClock()
    try await load.inParallel { task in
      for round in 1...100 {
        let (started, ended) = (Tally(), Tally())
        let short = Duration.microseconds(200 + task)
        let caller = Task {
          try await withDeadline(short) {
            started.add()
            defer { ended.add() }
            // Sleeps exactly until the deadline, or much longer, so that the deadline cancels the sleep.
            try await Task.sleep(for: round % 2 == 0 ? short : long)
            return round
          }
        }
        if round % 5 == 0 { await atOnce({ caller.cancel() }, { caller.cancel() }) }
        try expectResult(await caller.result, round, deadline: short, isCancelled: round % 5 == 0)
        try expectEqual(ended.value, started.value, "operations that have ended when their call returns")
        // A caller that is cancelled first starts nothing.
        try expect(started.value == 1 || round % 5 == 0 && started.value == 0, "an operation did not start")

        let quick = try await withDeadline(long, clock: SuspendingClock()) {
          await Task.yield()
          return round
        }
        try expectEqual(quick, round, "the result before the deadline")
        let shared = clock.now.advanced(by: long)
        async let first = withDeadline(until: shared, clock: clock) { round }
        async let second = withDeadline(until: shared, clock: clock) { -round }
        try expectEqual(try await first + second, 0, "the results of two operations with one deadline")
        try await expectExpiry(upTo: short) {
          try await withDeadline(until: clock.now.advanced(by: short), clock: clock) {
            try await Task.sleep(for: long)
          }
        }
        try await expectErrorRethrown { try await withDeadline(long) { throw TestError() } }
        try await expectNotStarted { work in try await withDeadline(.zero) { work() } }
        try await expectNotStarted { work in
          try await withDeadline(until: clock.now.advanced(by: .zero - short), clock: clock) { work() }
        }
      }
    }
  }

  static func expectResult(
    _ result: Result<Int, any Error>, _ number: Int, deadline: Duration, isCancelled: Bool
  ) throws(Unexpected) {
    switch result {
    case .success(let value): try expectEqual(value, number, "the value of the operation")
    case .failure(let error as DeadlineExceeded):
      try expectEqual(error, DeadlineExceeded(duration: deadline), "the error of the deadline")
      try expect(error.description.contains("\(deadline)"), "the error does not name its deadline: \(error)")
    case .failure(let error):
      try expect(isCancelled && error is CancellationError, "a call with a deadline failed with \(error)")
    }
  }

  /// Checks that the call throws `DeadlineExceeded` with a duration of at most `limit`.
  static func expectExpiry(upTo limit: Duration, _ call: () async throws -> Void) async throws {
    do {
      try await call()
      throw Unexpected(description: "the deadline was ignored")
    } catch let error as DeadlineExceeded {
      try expect(error.duration <= limit, "the error says \(error.duration), which is more than \(limit)")
    }
  }

  static func expectErrorRethrown(_ call: () async throws -> Void) async throws {
    do {
      try await call()
      throw Unexpected(description: "the error of the operation was lost")
    } catch is TestError {}
  }

  static func expectNotStarted(
    _ call: (@escaping @Sendable () -> Void) async throws -> Void
  ) async throws {
    let started = Tally()
    try await expectExpiry(upTo: .zero) { try await call { started.add() } }
    try expectEqual(started.value, 0, "operations started after their deadline")
  }
}
