import AsyncViewModelsGCD
import Dispatch
import Foundation

extension StressProgram {
  static var rebindings: [StressProgram] {
    [
      StressProgram(
        name: "callback-state-rebinding",
        summary: "after a cancellation or another binding, an observer is called at most once more",
        run: rebinding
      )
    ]
  }

  private static func rebinding(load: Load) async throws {
    let shared = CallbackState(0)
    try await load.inParallel { task in
      for round in 1...800 {
        let queue = callbackQueues[round % 2]
        let calls = Tally()
        let token = shared.bind(on: queue) { _ in calls.add() }
        shared.send(round)
        if round % 4 == 0 { await Task.yield() }
        let cancelsOnQueue = queue === callbackQueues[0] && task % 2 == 0
        let before: Int
        if cancelsOnQueue {
          before = await onQueue(queue) {
            token.cancel()
            return calls.value
          }
        } else {
          token.cancel()
          before = calls.value
        }
        shared.send(-round)
        await onQueue(queue) {}
        let late = calls.value - before
        try expect(late <= (cancelsOnQueue ? 0 : 1), "\(late) calls after a cancellation")
      }
    }
    try await load.inParallel { _ in
      for _ in 1...20 { try await expectWaitingValuesDropped() }
    }
    try await expectLastBindingWins(shared)
  }

  /// Cancels a slow observer while many values are waiting.
  private static func expectWaitingValuesDropped() async throws {
    let queue = DispatchQueue(label: "callback-state-waiting")
    let calls = Tally()
    let own = CallbackState(0)
    let token = own.bind(on: queue) { _ in
      calls.add()
      Thread.sleep(forTimeInterval: 0.000_02)
    }
    for number in 1...50 { own.send(number) }
    await until { calls.value > 0 }
    token.cancel()
    let before = calls.value
    await onQueue(queue) {}
    try expect(
      calls.value <= before + 1, "\(calls.value - before) calls after a cancellation with waiting values")
  }

  private static func expectLastBindingWins(_ shared: CallbackState<Int>) async throws {
    let (old, new) = (Tally(), Tally())
    let replaced = shared.bind(on: callbackQueues[0]) { _ in old.add() }
    await until { old.value == 1 }
    let token = shared.bind(on: callbackQueues[0]) { _ in new.add() }
    replaced.cancel()
    for number in 1...100 { shared.send(number) }
    await until { new.value == 101 }
    try expectEqual(old.value, 1, "calls of a replaced observer")
    token.cancel()
  }
}
