import AsyncViewModels
import Synchronization

extension StressProgram {
  static var abandoningDeadlines: [StressProgram] {
    [
      StressProgram(
        name: "deadline-abandoning", summary: "operations that ignore their cancellation are left behind",
        run: abandoning)
    ]
  }

  private static func abandoning(load: Load) async throws {
    let clock = ContinuousClock()
    try await load.inParallel { task in
      for round in 1...80 {
        let (open, begun, freed) = (Tally(), Tally(), Tally())
        let short = Duration.microseconds(round % 2 == 0 ? 200 : 3_600_000_000)
        let owner = Mutex<Task<Int, any Error>?>(nil)
        let caller = Task {
          let ending = try await withAbandoningDeadline(short) {
            begun.add()
            await until { open.value > 0 }
            return DeinitAction {
              owner.withLock { $0 }?.cancel()
              freed.add()
            }
          }
          return withExtendedLifetime(ending) { round }
        }
        owner.withLock { $0 = caller }
        if round % 3 == 0 || round % 2 == 1 { await atOnce({ caller.cancel() }, { caller.cancel() }) }
        // It returns although the operation goes on.
        try expectEnding(
          await caller.result, -1, deadline: short, isCancelled: round % 3 == 0 || round % 2 == 1)
        open.add()
        await until { freed.value == begun.value && begun.value == 1 }
        withExtendedLifetime(owner.withLock { $0.take() }) {}

        let quick = try await withAbandoningDeadline(long, clock: SuspendingClock()) { round }
        let other = try await withAbandoningDeadline(until: clock.now.advanced(by: long), clock: clock) {
          -round
        }
        try expectEqual(quick + other, 0, "what came in time")
        try await expectExpiry(upTo: short) {
          try await withAbandoningDeadline(until: clock.now.advanced(by: .microseconds(200)), clock: clock) {
            try await Task.sleep(for: long)
          }
        }
        try await expectRefusal { try await withAbandoningDeadline(long) { throw TestError() } }
        try await expectNotBegun { work in try await withAbandoningDeadline(.zero) { work() } }
        try await expectNotBegun { work in
          try await withAbandoningDeadline(until: clock.now, clock: clock) { work() }
        }
      }
    }
  }
}
