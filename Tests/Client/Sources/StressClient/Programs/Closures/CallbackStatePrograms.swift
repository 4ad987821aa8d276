import AsyncViewModelsGCD
import Dispatch

extension StressProgram {
  static var callbackStates: [StressProgram] {
    [
      StressProgram(
        name: "callback-state-order",
        summary:
          "a CallbackState observer receives every value in the order of each sender, one call at a time",
        run: order),
      StressProgram(
        name: "callback-state-reentrancy",
        summary:
          "values and observers whose deinit uses the same CallbackState are released outside its lock",
        run: reentrancy),
      StressProgram(
        name: "callback-state-end",
        summary:
          "values sent before a CallbackState is released are delivered, then its observer is released",
        run: end),
    ]
  }

  static let callbackQueues = [
    DispatchQueue(label: "callback-state"),
    DispatchQueue(label: "callback-state-concurrent", attributes: .concurrent), .main,
  ]

  private static func order(load: Load) async throws {
    let findings = Findings()
    for queue in callbackQueues {
      let rounds = 30_000 / load.tasks
      let shared = CallbackState(Sent(sender: load.tasks, number: 1))
      let observer = OrderedCalls(senders: load.tasks + 1, findings)
      try await shared.bind(on: queue) { observer.note($0) }.hold {
        try await load.inParallel { sender in
          for number in 1...rounds {
            shared.send(Sent(sender: sender, number: number))
            if number % 16 == 0 { await Task.yield() }
          }
        }
        await until { observer.calls.value == rounds * load.tasks + 1 }
      }
    }
    try await load.inParallel { _ in try await sendAndReenter(on: callbackQueues[0], findings) }
    try findings.check()
  }

  /// Checks the order of deliveries on a serial queue.
  ///
  /// A block that is enqueued after a send runs after the delivery. A value that an observer sends is not
  /// delivered inside the running call of the observer.
  private static func sendAndReenter(on queue: DispatchQueue, _ findings: Findings) async throws {
    let (calls, inside) = (Tally(), Tally())
    let own = CallbackState(0)
    let token = own.bind(on: queue) { [weak own] number in
      findings.expect(inside.add() == 1, "an observer was called inside another call")
      if number < 0 { own?.send(-number) }
      inside.add(-1)
      calls.add()
    }
    for round in 1...200 {
      if round % 2 == 0 { own.send(-round) } else { own.update { $0 = -round } }
      queue.async { findings.expect(calls.value >= 2 * round, "a block overtook the delivery of \(round)") }
      if round % 16 == 0 { await Task.yield() }
      // Waits until the observer has sent. Otherwise the observer's value could replace the next value of
      // this loop.
      await until { own.value == round }
    }
    await until { calls.value == 401 }
    token.cancel()
  }

  private static func reentrancy(load: Load) async throws {
    let shared = CallbackState(DeinitAction {})
    try await load.inParallel { task in
      let own = CallbackState(DeinitAction {})
      for round in 1...500 {
        for state in [own, shared] {
          let token = state.bind(on: callbackQueues[round % 2], observer(of: state))
          for _ in 0..<3 { state.send(value(of: state)) }
          if round % 3 == 0 { await Task.yield() }
          if round % 2 == 0 {
            token.cancel()
          } else {
            state.bind(on: callbackQueues[0]) { _ in }.cancelOnGlobalQueue()
          }
        }
      }
    }
  }

  private static func value(of state: CallbackState<DeinitAction>) -> DeinitAction {
    DeinitAction { [weak state] in
      state?.send(DeinitAction { [weak state] in _ = state?.value })
      state?.bind(on: callbackQueues[0]) { _ in }.cancel()
    }
  }

  private static func observer(of state: CallbackState<DeinitAction>) -> @Sendable (DeinitAction) -> Void {
    let deinitAction = DeinitAction { [weak state] in state?.send(DeinitAction {}) }
    return { _ in withExtendedLifetime(deinitAction) {} }
  }

  private static func end(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...300 {
        let (calls, freed) = (Tally(), Tally())
        var state: CallbackState<Int>? = CallbackState(0)
        let token = state?.bind(on: callbackQueues[round % 3], counting(calls, freed))
        for number in 1...5 { state?.send(number) }
        if round % 2 == 0 { await Task.yield() }
        state = nil
        await until { freed.value == 1 }
        try expectEqual(calls.value, 6, "values delivered before the end")
        token?.cancel()
      }
      // Without a queue, `bind` calls the observer on the main queue.
      let calls = Tally()
      let state = CallbackState(task)
      let token = state.bind { _ in MainActor.assumeIsolated { _ = calls.add() } }
      await until { calls.value == 1 }
      token.cancel()
    }
  }

  private static func counting(_ calls: Tally, _ freed: Tally) -> @Sendable (Int) -> Void {
    let deinitAction = DeinitAction { freed.add() }
    return { _ in withExtendedLifetime(deinitAction) { _ = calls.add() } }
  }
}
