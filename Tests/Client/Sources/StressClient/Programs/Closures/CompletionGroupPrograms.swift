import AsyncViewModelsGCD
import Dispatch
import Synchronization

extension StressProgram {
  static var completionGroups: [StressProgram] {
    [
      StressProgram(
        name: "completion-group",
        summary: "a group runs each notification once, after every entry has left or was released",
        run: groups),
      StressProgram(
        name: "completion-group-shared",
        summary: "a group that all tasks share runs every notification that they request",
        run: sharedGroup),
    ]
  }

  private static func groups(load: Load) async throws {
    let queue = DispatchQueue(label: "completion-group")
    let findings = Findings()
    try await load.inParallel { task in
      for _ in 1...100 {
        let (left, notified) = (Tally(), Tally())
        let owner = Mutex<CompletionGroup?>(CompletionGroup())
        let entries = Mutex((0..<3).compactMap { _ in owner.withLock { $0 }?.enter() })
        let shared = entries.withLock { $0[0] }
        for _ in 1...2 {
          owner.withLock { $0 }?.notify(on: queue) {
            findings.expect(left.value >= 3, "notified when \(left.value) of 3 entries had left")
            notified.add()
          }
        }
        let leave: @Sendable () -> Void = {
          left.add()
          shared.leave()
        }
        let drop: @Sendable () -> Void = {
          left.add()
          withExtendedLifetime(entries.withLock { $0.popLast() }) {}
        }
        await atOnce(leave, leave, leave, drop, drop, drop, { _ = owner.withLock { $0.take() } })
        await until { notified.value == 2 }
      }
      await empty(on: queue, findings)
    }
    try findings.check()
  }

  /// Checks that a group without entries notifies without waiting, but asynchronously.
  private static func empty(on queue: DispatchQueue, _ findings: Findings) async {
    let (inside, notified) = (Tally(), Tally())
    for _ in 1...50 {
      await onQueue(queue) {
        inside.add()
        CompletionGroup().notify(on: queue) {
          findings.expect(inside.value == 0, "notified inside the call of notify")
          notified.add()
        }
        inside.add(-1)
      }
    }
    await until { notified.value == 50 }
  }

  private static func sharedGroup(load: Load) async throws {
    let group = CompletionGroup()
    let (notified, requested) = (Tally(), Tally())
    try await load.inParallel { task in
      for round in 1...5_000 {
        let entry = group.enter()
        group.notify(on: .global()) { notified.add() }
        requested.add()
        if round % 3 == 0 { DispatchQueue.global().async { entry.leave() } }
        if round % 16 == 0 { await Task.yield() }
        if round % 3 == 1 {
          entry.leave()
          entry.leave()
        }
      }
    }
    await until { notified.value == requested.value }
  }
}
