import AsyncViewModels
import Foundation

extension StressProgram {
  static var tasks: [StressProgram] {
    [
      StressProgram(
        name: "task-slot",
        summary: "under every policy, no run commits after a cancellation, and the newest run commits last",
        run: slots),
      StressProgram(
        name: "task-slot-steps", summary: "a gate admits only the steps of the current run, on the owner",
        run: steps),
      StressProgram(
        name: "task-slot-callers",
        summary: "a call returns after its run has committed; a cancelled caller does not stop the others",
        run: callers),
      StressProgram(
        name: "task-slot-positions",
        summary: "if several threads draw positions, the run with the highest position commits last",
        run: positions),
      StressProgram(
        name: "task-slot-main-actor",
        summary: "a slot that a class on the main actor owns commits its runs in order",
        run: mainActorSlots),
      StressProgram(
        name: "task-bag",
        summary:
          "a bag removes ended tasks, and cancels the others when the bag is cancelled, closed or released",
        run: bags),
      StressProgram(
        name: "single-flight",
        summary: "callers of one key share one run, and a cancelled caller does not stop the others",
        run: flights),
      StressProgram(
        name: "task-outcome", summary: "TaskOutcome tells failures from cancellations", run: outcomes),
    ]
  }

  private actor Owner {
    nonisolated let slot: TaskSlot
    private var isCancelled = false
    private(set) var lateCommits = 0
    private(set) var commits = 0
    private(set) var last = -1

    init(_ policy: TaskSlot.Policy) { slot = TaskSlot(policy) }

    func start(_ number: Int) -> TaskSlot.Run {
      isCancelled = false
      return slot.start(on: self) {
        if number % 2 == 0 { await Task.yield() }
        return number
      } commit: { owner, outcome in
        owner.commits += 1
        if owner.isCancelled { owner.lateCommits += 1 }
        if case .success(let number) = outcome { owner.last = number }
      }
    }

    func runSteps(_ number: Int) async {
      isCancelled = false
      await slot.run(
        on: self,
        inSteps: { gate in
          for step in 0..<3 {
            let admitted = await gate { owner in
              if owner.isCancelled { owner.lateCommits += 1 }
              owner.last = number
              return step
            }
            guard admitted == step, gate.isOpen else { return }
            guard await gate({ owner in owner.commits += 1 }) else { return }
            await Task.yield()
          }
        }, onCancel: { owner in owner.commits += 1 })
    }

    func cancel() {
      slot.cancel()
      isCancelled = true
    }
  }

  private static let policies: [TaskSlot.Policy] = [.latest, .keepRunning, .join, .serial, .concurrent]

  private static func slots(load: Load) async throws {
    try await load.inParallel { task in
      for policy in policies {
        let owner = Owner(policy)
        for round in 0..<60 {
          let runs = [await owner.start(round), await owner.start(round + 1)]
          if round % 3 == 0 { await owner.cancel() }
          for run in runs { await run.wait() }
          if round % 3 != 0, policy == .latest || policy == .serial {
            try expectEqual(await owner.last, round + 1, "the last commit under \(policy)")
          }
        }
        try expectEqual(await owner.lateCommits, 0, "commits after a cancellation under \(policy)")
        await until { !owner.slot.isRunning }
      }
    }
  }

  private static func steps(load: Load) async throws {
    try await load.inParallel { task in
      for policy in policies {
        var owner: Owner? = Owner(policy)
        weak let released = owner
        for round in 0..<40 {
          let call = Task { [owner] in await owner?.runSteps(round) }
          if round % 3 == 0 { await owner?.cancel() }
          if round % 3 == 1 { call.cancel() }
          await call.value
        }
        try expectEqual(await owner?.lateCommits, 0, "steps after a cancellation under \(policy)")
        try expect(await owner?.commits ?? 0 > 0, "no step was admitted under \(policy)")
        _ = await owner?.start(0)
        owner = nil
        await until { released == nil }
      }
    }
  }

  private static func bags(load: Load) async throws {
    let shared = TaskBag()
    let cancelled = Tally()
    try await load.inParallel { task in
      for round in 1...200 {
        let bag = TaskBag()
        let quick = bag.run(priority: .medium) {}
        let unending = bag.run { await until { Task.isCancelled } }
        let elsewhere = Task { await until { Task.isCancelled } }
        bag.insert(elsewhere)
        bag.insert(
          CancellationToken { [weak bag] in
            cancelled.add()
            _ = bag?.count
          })
        shared.run { await Task.yield() }
        shared.insert(Task { round })
        await quick.value
        if round % 3 == 0 { bag.cancelAll() } else if round % 3 == 1 { bag.close() }
        if round % 3 == 2 {
          await releaseLast(bag)
        } else {
          await unending.value
          await elsewhere.value
          await until { bag.count == 0 }
        }
        if round % 3 == 1 {
          await bag.run { if !Task.isCancelled { fatalError("a closed bag ran work") } }.value
        }
      }
    }
    await until { shared.count == 0 }
    shared.close()
    await until { cancelled.value == 200 * load.tasks }
  }

  /// Retains the bag on a new thread, so that this thread can be the last to release it while its tasks run.
  private static func releaseLast(_ bag: TaskBag) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        withExtendedLifetime(bag) { continuation.resume() }
      }
    }
  }

  private static func flights(load: Load) async throws {
    let flights = SingleFlight<Int, Int>()
    let running = (0..<4).map { _ in Tally() }
    try await load.inParallel { task in
      for round in 0..<200 {
        let key = (round + task) % running.count
        let caller = Task {
          try await flights.value(for: key) {
            running[key].add()
            defer { running[key].add(-1) }
            await Task.yield()
            if round % 5 == 0 { throw TestError() }
            return key
          }
        }
        if round % 4 == 0 { caller.cancel() }
        switch await caller.result {
        case .success(let value): try expectEqual(value, key, "the value for a key")
        case .failure(let error):
          try expect(error is TestError || error is CancellationError, "a caller received \(error)")
        }
        // Each of the other tasks has at most one caller.
        try expect(
          flights.callerCount(for: key) < load.tasks && flights.count <= running.count, "a count is wrong")
      }
    }
    await until { flights.count == 0 && running.allSatisfy { $0.value == 0 } }
  }

  private static func outcomes(load: Load) async throws {
    try await load.inParallel { task in
      for round in 0..<200 {
        let outcome = await TaskOutcome {
          await Task.yield()
          if round % 3 == 0 { throw TestError() }
          if round % 3 == 1 { throw CancellationError() }
          return round
        }
        switch outcome {
        case .success(let value): try expectEqual(value, round, "a success")
        case .failure(let error): try expect(round % 3 == 0 && error is TestError, "a failure: \(error)")
        case .cancelled: try expectEqual(round % 3, 1, "a cancellation")
        }
        let isSuccess = round % 3 == 2
        try expectEqual(outcome.value, isSuccess ? round : nil, "the value of the outcome")
        try expect(
          TaskOutcome(Result<Int, any Error>.success(round)).value == round
            && TaskOutcome<Int>(error: URLError(.cancelled)).isCancelled
            && !TaskOutcome<Int>(error: TestError()).isCancelled,
          "an error has the wrong kind")
      }
    }
  }
}

extension TaskOutcome {
  fileprivate var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}
