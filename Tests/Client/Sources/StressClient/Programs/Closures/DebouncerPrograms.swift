import AsyncViewModelsGCD
import Dispatch
import Synchronization

extension StressProgram {
  static var debouncers: [StressProgram] {
    [
      StressProgram(
        name: "debouncer-waves",
        summary: "no work runs twice, and the last work runs after all other work, under any scheduler",
        run: waves),
      StressProgram(
        name: "debouncer-cancels",
        summary: "after a debouncer is cancelled or released on its queue, none of its work runs",
        run: cancels),
      StressProgram(
        name: "debouncer-reentrancy",
        summary: "submitted work and the deinits of its captures can use their own debouncer",
        run: reentrancy),
    ]
  }

  /// A scheduler that runs the work synchronously in `schedule`.
  private struct InstantScheduler: CallbackScheduler {
    func schedule(
      after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> CancellationToken {
      work()
      return .ended
    }
  }

  /// A scheduler that ignores cancellation, so cancelled work can run at any moment of the next submission.
  private struct CancellationIgnoringScheduler: CallbackScheduler {
    func schedule(
      after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> CancellationToken {
      queue.async(execute: work)
      return .ended
    }
  }

  private static let schedulers: [any CallbackScheduler] = [
    DispatchCallbackScheduler(), InstantScheduler(), CancellationIgnoringScheduler(),
  ]

  private static func waves(load: Load) async throws {
    let queue = DispatchQueue(label: "debouncer-waves")
    let findings = Findings()
    for scheduler in schedulers {
      let debouncer = WorkItemDebouncer(delay: .microseconds(500), queue: queue, scheduler: scheduler)
      for _ in 1...30 {
        let last = Tally()
        try await load.inParallel { task in
          for round in 1...20 {
            let own = Tally()
            debouncer.submit {
              findings.expect(own.add() == 1, "the same work ran twice")
              findings.expect(last.value == 0, "work ran after later work")
            }
            if round % 8 == 0 { await Task.yield() }
          }
        }
        debouncer.submit { last.add() }
        await until { last.value == 1 }
        await onQueue(queue) {}
        try expectEqual(last.value, 1, "runs of the last work")
      }
      if !(scheduler is InstantScheduler) { await supersede(on: debouncer, queue, findings) }
    }
    try findings.check()
  }

  /// Submits two pieces of work in one block on the queue, so the first is superseded before it can run.
  private static func supersede(
    on debouncer: WorkItemDebouncer, _ queue: DispatchQueue, _ findings: Findings
  ) async {
    for _ in 1...20 {
      let last = Tally()
      await onQueue(queue) {
        debouncer.submit { findings.expect(false, "superseded work ran") }
        debouncer.submit { last.add() }
      }
      await until { last.value == 1 }
    }
  }

  private static func cancels(load: Load) async throws {
    let queue = DispatchQueue(label: "debouncer-cancels")
    try await load.inParallel { task in
      for round in 1...60 {
        let runs = Tally()
        let owner = Mutex<WorkItemDebouncer?>(WorkItemDebouncer(delay: .microseconds(50), queue: queue))
        for _ in 1...3 {
          owner.withLock { $0 }?.submit { runs.add() }
          await Task.yield()
        }
        let before = await onQueue(queue) {
          if round % 2 == 0 { owner.withLock { $0 }?.cancel() } else { _ = owner.withLock { $0.take() } }
          return runs.value
        }
        // Superseded or cancelled work would run before `fire` returns.
        await fire(after: .microseconds(100), on: queue)
        try expectEqual(runs.value, before, "runs after a cancellation on the queue")
        let debouncer = WorkItemDebouncer(delay: .zero, queue: queue)
        await atOnce(
          { debouncer.submit { runs.add() } }, { debouncer.cancel() }, { debouncer.submit { runs.add() } })
      }
    }
  }

  private static func fire(after delay: Duration, on queue: DispatchQueue) async {
    let fired = Tally()
    await DispatchCallbackScheduler().schedule(after: delay, on: queue) { fired.add() }
      .hold { await until { fired.value == 1 } }
  }

  private static func reentrancy(load: Load) async throws {
    try await load.inParallel { task in
      let queue = DispatchQueue(label: "debouncer-reentrancy")
      let debouncers = schedulers.map { WorkItemDebouncer(delay: .zero, queue: queue, scheduler: $0) }
      for round in 1...120 {
        for debouncer in debouncers {
          let (runs, freed) = (Tally(), Tally())
          for _ in 1...3 { submit(to: debouncer, runs, freed) }
          if round % 2 == 0 { debouncer.cancel() }
          await until { freed.value == 3 }
          let last = Tally()
          debouncer.submit { last.add() }
          await until { last.value == 1 }
        }
      }
    }
  }

  private static func submit(to debouncer: WorkItemDebouncer, _ runs: Tally, _ freed: Tally) {
    let deinitAction = DeinitAction { [weak debouncer] in
      debouncer?.cancel()
      freed.add()
    }
    debouncer.submit { [weak debouncer] in
      withExtendedLifetime(deinitAction) { debouncer?.submit { runs.add() } }
      runs.add()
    }
  }
}
