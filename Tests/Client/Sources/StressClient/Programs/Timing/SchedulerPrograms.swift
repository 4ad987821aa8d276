import AsyncViewModelsGCD
import Dispatch
import Synchronization

extension StressProgram {
  static var scheduling: [StressProgram] {
    [
      StressProgram(
        name: "callback-scheduler",
        summary: "work runs once on its queue, unless it is cancelled before it starts",
        run: schedule),
      StressProgram(
        name: "callback-scheduler-reentrancy",
        summary: "work and the deinit of its capture can use their own token",
        run: reentrancy),
    ]
  }

  private static func schedule(load: Load) async throws {
    let queue = DispatchQueue(label: "callback-scheduler")
    let scheduler: any CallbackScheduler = DispatchCallbackScheduler()
    try await load.inParallel { task in
      for round in 1...30 {
        let delay = Duration.microseconds(round % 4 * 100)
        let runs = Tally()
        let work: @Sendable () -> Void = {
          dispatchPrecondition(condition: .onQueue(queue))
          runs.add()
        }
        let kept = scheduler.schedule(after: delay, on: queue, work)
        await kept.hold { await until { runs.value == 1 } }

        let cancelled = Mutex<CancellationToken?>(scheduler.schedule(after: delay, on: queue, work))
        if round % 2 == 0 { await Task.yield() }
        let before = await onQueue(queue) {
          if round % 3 == 0 {
            withExtendedLifetime(cancelled.withLock { $0.take() }) {}
          } else {
            cancelled.withLock { $0 }?.cancel()
          }
          return runs.value
        }
        let raced = scheduler.schedule(after: delay, on: queue) { runs.add(1_000) }
        await atOnce({ raced.cancel() }, { raced.cancelOnGlobalQueue() }, { raced.cancel() })
        // A delay that overflows if it is converted to nanoseconds.
        let never = scheduler.schedule(after: .seconds(Int64.max), on: queue) { runs.add(1_000_000) }
        let last = Tally()
        await scheduler.schedule(after: .microseconds(400), on: queue) { last.add() }
          .hold { await until { last.value == 1 } }
        try expectEqual(runs.value % 1_000, before, "runs after a cancellation on the queue")
        try expect(runs.value < 2_000, "work ran twice or long before its delay")
        never.cancel()
      }
    }
  }

  private static func reentrancy(load: Load) async throws {
    let scheduler = DispatchCallbackScheduler()
    try await load.inParallel { task in
      for round in 1...1_500 {
        let freed = Tally()
        let owner = Mutex<CancellationToken?>(nil)
        let use: @Sendable () -> Void = { owner.withLock { $0 }?.cancel() }
        let token = scheduler.schedule(after: .zero, on: .global(), using(use, freed))
        owner.withLock { $0 = token }
        if round % 2 == 0 { token.cancel() }
        if round % 16 == 0 { await Task.yield() }
        token.finish()
        withExtendedLifetime(owner.withLock { $0.take() }) {}
        await until { freed.value == 1 }
      }
    }
  }

  private static func using(_ use: @escaping @Sendable () -> Void, _ freed: Tally) -> @Sendable () -> Void {
    let deinitAction = DeinitAction {
      use()
      freed.add()
    }
    return { withExtendedLifetime(deinitAction) { use() } }
  }
}
