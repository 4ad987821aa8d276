import AsyncViewModels
import Dispatch
import Synchronization

extension StressProgram {
  static var streamDeliveries: [StressProgram] {
    [
      StressProgram(
        name: "deliver-stream",
        summary: "deliver(_:on:to:) passes all elements in order, then the end or the error",
        run: streams),
      StressProgram(
        name: "deliver-cancels", summary: "after a cancellation the observer is called at most once more",
        run: cancels),
    ]
  }

  private static func streams(load: Load) async throws {
    let findings = Findings()
    try await load.inParallel { task in
      let queue = DispatchQueue(label: "deliver-stream")
      for round in 1...12 {
        let observer = OrderedCalls(senders: 1, findings)
        let (completions, fails) = (Tally(), round % 2 == 0)
        let token = deliver(Numbers(upTo: 40, fails: fails), on: queue) { number in
          findings.expect(completions.value == 0, "an element arrived after the end")
          observer.note(Sent(sender: 0, number: number))
        } completion: { result in
          if case .failure = result {
            findings.expect(fails, "an unexpected failure")
          } else {
            findings.expect(!fails, "an end without the expected failure")
          }
          completions.add()
        }
        await until { completions.value > 0 }
        await atOnce({ token.cancel() }, { token.cancel() }, { token.finish() })
        await onQueue(queue) {}
        try expectEqual(observer.calls.value, 40, "elements delivered")
        try expectEqual(completions.value, 1, "calls of the completion")
      }
    }
    try findings.check()
  }

  private static func cancels(load: Load) async throws {
    try await load.inParallel { task in
      let queue = DispatchQueue(label: "deliver-cancels")
      for round in 1...250 {
        let (calls, freed) = (Tally(), Tally())
        let owner = Mutex<CancellationToken?>(nil)
        let cancelOwn: @Sendable () -> Void = { owner.withLock { $0 }?.cancel() }
        let source = Numbers(upTo: 1_000).map { $0 % 50 == 0 ? DeinitAction(cancelOwn) : DeinitAction {} }
        let token = deliver(source, on: queue, to: counting(calls, freed, cancelOwn)) { _ in calls.add() }
        owner.withLock { $0 = token }
        if round % 3 == 0 { await until { calls.value > 0 } }
        let cancelsOnQueue = round % 2 == 0
        let before =
          cancelsOnQueue ? await onQueue(queue) { cancel(token, calls) } : cancel(token, calls)
        withExtendedLifetime(owner.withLock { $0.take() }) {}
        await until { freed.value == 1 }
        await onQueue(queue) {}
        let late = calls.value - before
        try expect(late <= (cancelsOnQueue ? 0 : 1), "\(late) calls after a cancellation")
      }
    }
  }

  private static func cancel(_ token: CancellationToken, _ calls: Tally) -> Int {
    token.cancel()
    return calls.value
  }

  /// Makes an observer that cancels its own token when it is released.
  private static func counting(
    _ calls: Tally, _ freed: Tally, _ cancelOwn: @escaping @Sendable () -> Void
  ) -> @Sendable (DeinitAction) -> Void {
    let deinitAction = DeinitAction {
      cancelOwn()
      freed.add()
    }
    return { _ in withExtendedLifetime(deinitAction) { _ = calls.add() } }
  }
}
