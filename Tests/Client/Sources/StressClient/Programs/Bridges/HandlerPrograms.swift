import AsyncViewModels
import Dispatch

extension StressProgram {
  static var bridges: [StressProgram] {
    handlers + callbacks + asyncCalls + streamDeliveries + callbackStreams
      + throwingCallbackStreams
  }

  private static var handlers: [StressProgram] {
    [
      StressProgram(
        name: "handler",
        summary:
          "a wait ends exactly once, however the service calls its handler; only abandoned calls are cancelled",
        run: waits),
      StressProgram(
        name: "handler-deadline",
        summary: "a deadline abandons only calls whose handler is not called in time",
        run: deadlines),
    ]
  }

  private static func waits(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...60 {
        for behavior in LegacyCall.Behavior.allCases {
          let call = LegacyCall(behavior)
          let caller = Task { try await withCompletionHandler { call.start(round, $0) } }
          let isCancelled = behavior.calls == 0 || round % 3 == 0
          if isCancelled {
            if round % 2 == 0 { await until { call.starts.value == 1 } }
            await atOnce({ caller.cancel() }, { caller.cancel() }, { caller.cancel() })
          }
          try expectAnswer(round, of: call, await caller.result, isCancelled: isCancelled, isDue: false)
          await until { call.isReleased }
        }
      }
    }
  }

  /// Checks that the call was answered, or was cancelled before its caller resumed. Only a call whose caller is
  /// cancelled, or whose deadline is due, may fail.
  private static func expectAnswer(
    _ number: Int, of call: LegacyCall, _ result: Result<Int, any Error>, isCancelled: Bool, isDue: Bool
  ) throws(Unexpected) {
    switch result {
    case .success(let value):
      try expectEqual(value, number, "\(call.behavior): the answer")
      try expectEqual(call.cancels.value, 0, "\(call.behavior): cancellations of an answered call")
    case .failure(let error):
      try expect(
        error is CancellationError && isCancelled || error is DeadlineExceeded && isDue,
        "\(call.behavior): failed with \(error)")
      let isOpen = call.behavior != .atOnce && call.behavior != .twice
      try expectEqual(call.cancels.value, isOpen ? call.starts.value : 0, "\(call.behavior): cancellations")
    }
  }

  private static func deadlines(load: Load) async throws {
    let clocks: [any Clock<Duration>] = [ContinuousClock(), SuspendingClock()]
    try await load.inParallel { task in
      for round in 1...80 {
        for behavior in LegacyCall.Behavior.allCases {
          let call = LegacyCall(behavior)
          let isDue = behavior.calls == 0 || round % 2 == 0
          let deadline = Duration.microseconds(isDue ? 200 : 3_600_000_000)
          let caller = Task {
            try await withCompletionHandler(deadline: deadline, clock: clocks[round % 2]) {
              call.start(round, $0)
            }
          }
          if round % 5 == 0 { caller.cancel() }
          let result = await caller.result
          try expectAnswer(round, of: call, result, isCancelled: round % 5 == 0, isDue: isDue)
          if case .failure(let error as DeadlineExceeded) = result {
            try expectEqual(error.duration, deadline, "the duration in the error")
          }
          await until { call.isReleased }
        }
        try await expectNoStart(round)
      }
    }
  }

  private static func expectNoStart(_ round: Int) async throws {
    let call = LegacyCall(.atOnce)
    let none = Duration.milliseconds(-round % 2)
    do {
      _ = try await withCompletionHandler(deadline: none) { call.start(round, $0) }
    } catch let error as DeadlineExceeded {
      try expectEqual(error, DeadlineExceeded(duration: none), "the error of a deadline in the past")
    }
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try? await withCompletionHandler(deadline: .seconds(1)) { call.start(round, $0) }
      _ = try? await withCallback { call.start(round, $0).finish() }
      try? await withCompletionHandler(error: { _ in .ended })
      let _: Int? = try? await withCompletionHandler(valueAndError: { _ in .ended })
      _ = try await withCompletionHandler { call.start(round, $0) }
    }
    try expect(await cancelled.result.failure is CancellationError, "a cancelled caller received an answer")
    try expectEqual(call.starts.value, 0, "calls that must not start")
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
