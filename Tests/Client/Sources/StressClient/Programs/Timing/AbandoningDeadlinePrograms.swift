import AsyncViewModels
import Synchronization

extension StressProgram {
  static var abandoningDeadlines: [StressProgram] {
    [
      StressProgram(
        name: "deadline-abandoning",
        summary: "withAbandoningDeadline returns although the operation ignores its cancellation",
        run: abandoning)
    ]
  }

  private static func abandoning(load: Load) async throws {
    let clock = ContinuousClock()
    try await load.inParallel { task in
      for round in 1...80 {
        let (open, started, freed) = (Tally(), Tally(), Tally())
        let short = Duration.microseconds(round % 2 == 0 ? 200 : 3_600_000_000)
        let owner = Mutex<Task<Int, any Error>?>(nil)
        let caller = Task {
          let deinitAction = try await withAbandoningDeadline(short) {
            started.add()
            await until { open.value > 0 }
            return DeinitAction {
              owner.withLock { $0 }?.cancel()
              freed.add()
            }
          }
          return withExtendedLifetime(deinitAction) { round }
        }
        owner.withLock { $0 = caller }
        let isCancelled = round % 3 == 0 || round % 2 == 1
        if isCancelled { await atOnce({ caller.cancel() }, { caller.cancel() }) }
        // The call returns although the operation is still running.
        try expectResult(await caller.result, -1, deadline: short, isCancelled: isCancelled)
        open.add()
        // A caller that is cancelled first starts nothing.
        await until { freed.value == started.value && (isCancelled || started.value == 1) }
        withExtendedLifetime(owner.withLock { $0.take() }) {}

        let quick = try await withAbandoningDeadline(long, clock: SuspendingClock()) { round }
        let other = try await withAbandoningDeadline(until: clock.now.advanced(by: long), clock: clock) {
          -round
        }
        try expectEqual(quick + other, 0, "results before the deadline")
        let soon = Duration.microseconds(200)
        try await expectExpiry(upTo: soon) {
          try await withAbandoningDeadline(until: clock.now.advanced(by: soon), clock: clock) {
            try await Task.sleep(for: long)
          }
        }
        try await expectErrorRethrown { try await withAbandoningDeadline(long) { throw TestError() } }
        try await expectNotStarted { work in try await withAbandoningDeadline(.zero) { work() } }
        try await expectNotStarted { work in
          try await withAbandoningDeadline(until: clock.now, clock: clock) { work() }
        }
      }
    }
  }
}
