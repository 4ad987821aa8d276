import AsyncViewModels
import Dispatch
import Synchronization

extension StressProgram {
  static var asyncCalls: [StressProgram] {
    [
      StressProgram(
        name: "perform-async",
        summary:
          "performAsync calls its completion once, despite concurrent cancellations, and never synchronously",
        run: results),
      StressProgram(
        name: "perform-async-release",
        summary: "a cancelled performAsync releases its completion while its work continues",
        run: freed),
    ]
  }

  private static func results(load: Load) async throws {
    let findings = Findings()
    try await load.inParallel { task in
      let queue = DispatchQueue(label: "perform-async")
      for round in 1...150 {
        let (completions, inside) = (Tally(), Tally())
        // `inside` is above 0 only during a call on the queue, so a completion on the queue must find 0.
        let completion: @Sendable (Result<Int, any Error>) -> Void = { result in
          if round % 2 == 0 { findings.expect(inside.value == 0, "a completion ran inside a call") }
          findings.expect(isExpected(result, round), "the completion received \(result)")
          completions.add()
        }
        let owner = await onQueue(queue) {
          inside.add()
          defer { inside.add(-1) }
          return performAsync(completion: completion, on: round % 2 == 0 ? queue : nil) {
            if round % 4 < 2 { await Task.yield() }
            if round % 5 == 0 { throw TestError() }
            return round
          }
        }
        if round % 3 > 0 {
          await atOnce({ owner.cancel() }, { owner.cancelOnGlobalQueue() }, { owner.cancel() })
        } else {
          await until { completions.value == 1 }
        }
        await onQueue(queue) {
          inside.add()
          owner.cancel()
          inside.add(-1)
        }
        await until { completions.value > 0 }
        await onQueue(queue) {}
        try expectEqual(completions.value, 1, "calls of the completion")
      }
    }
    try findings.check()
  }

  private static func isExpected(_ result: Result<Int, any Error>, _ round: Int) -> Bool {
    switch result {
    case .success(let value): value == round && round % 5 > 0
    case .failure(let error):
      error is CancellationError && round % 3 > 0 || error is TestError && round % 5 == 0
    }
  }

  private static func freed(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...800 {
        let (completed, freed, open) = (Tally(), Tally(), Tally())
        let owner = Mutex<CancellationToken?>(nil)
        let cancel: @Sendable () -> Void = { owner.withLock { $0 }?.cancel() }
        let token = performAsync(
          completion: completing(cancel, completed, freed), on: round % 2 == 0 ? .global() : nil
        ) {
          await until { open.value > 0 }
          // Nothing keeps the result. Its `deinit` cancels the call, which has ended by then.
          return DeinitAction(cancel)
        }
        owner.withLock { $0 = token }
        if round % 3 > 0 { token.cancel() } else { open.add() }
        await until { freed.value == 1 }
        try expectEqual(completed.value, 1, "calls of the completion")
        open.add()
        withExtendedLifetime(owner.withLock { $0.take() }) {}
      }
    }
  }

  /// Makes a completion that cancels its own call when it is released.
  private static func completing(
    _ cancel: @escaping @Sendable () -> Void, _ completed: Tally, _ freed: Tally
  ) -> @Sendable (Result<DeinitAction, any Error>) -> Void {
    let deinitAction = DeinitAction {
      cancel()
      freed.add()
    }
    return { _ in withExtendedLifetime(deinitAction) { _ = completed.add() } }
  }
}
