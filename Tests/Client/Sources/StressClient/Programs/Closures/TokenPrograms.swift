import AsyncViewModels
import Dispatch
import Synchronization

extension StressProgram {
  static var closures: [StressProgram] {
    tokens + tokenHolds + callbackStates + rebindings + debouncers + completionGroups + requestSlots
  }

  private static var tokens: [StressProgram] {
    [
      StressProgram(
        name: "token-races",
        summary:
          "with concurrent cancel and finish calls, the action runs at most once and is released",
        run: races),
      StressProgram(
        name: "token-end",
        summary:
          "if the last reference is released during cancel and finish calls, the action runs at most once",
        run: lastReference),
      StressProgram(
        name: "token-reentrancy",
        summary: "actions and the deinits of their captures can use their own token",
        run: reentrancy),
    ]
  }

  static func armed(_ runs: Tally, _ freed: Tally) -> CancellationToken {
    let deinitAction = DeinitAction { freed.add() }
    return CancellationToken { withExtendedLifetime(deinitAction) { _ = runs.add() } }
  }

  private static func races(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...200 {
        let (runs, freed) = (Tally(), Tally())
        let token = armed(runs, freed)
        try expect(!token.isCancelled, "a new token is cancelled")
        await atOnce(
          { token.cancel() }, { token.cancelOnGlobalQueue() }, { if round % 2 == 0 { token.finish() } },
          { _ = token.isCancelled })
        await until { freed.value == 1 }
        try expectEqual(runs.value, token.isCancelled ? 1 : 0, "action runs")
        token.cancel()
        token.finish()
        try expectEqual(runs.value, token.isCancelled ? 1 : 0, "action runs after the end")
      }
      try await checkOnOneThread()
    }
  }

  /// Checks that each call on a token that only one thread uses takes effect before the call returns.
  private static func checkOnOneThread() async throws {
    let (runs, freed) = (Tally(), Tally())
    for round in 1...3_000 {
      let token = armed(runs, freed)
      if round % 2 == 0 { token.cancel() } else { token.finish() }
      try expectEqual(token.isCancelled, round % 2 == 0, "isCancelled")
      try expectEqual(runs.value, round / 2, "action runs")
      try expectEqual(freed.value, round, "released actions")
      CancellationToken.ended.cancel()
      CancellationToken.ended.finish()
      try expect(!CancellationToken.ended.isCancelled, "the ended token was cancelled")
      if round % 16 == 0 { await Task.yield() }
    }
  }

  private static func lastReference(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...250 {
        let (runs, freed) = (Tally(), Tally())
        let owner = Mutex<CancellationToken?>(armed(runs, freed))
        weak let token = owner.withLock { $0 }
        await atOnce(
          { owner.withLock { $0.take() }?.cancelOnGlobalQueue() },
          { round % 2 == 0 ? token?.cancel() : token?.finish() },
          { _ = owner.withLock { $0.take() } })
        await until { freed.value == 1 && token == nil }
        try expect(runs.value == 1 || runs.value == 0 && round % 2 == 1, "the action ran \(runs.value) times")
      }
    }
  }

  private static func reentrancy(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...5_000 {
        let (runs, freed) = (Tally(), Tally())
        let own = Mutex<CancellationToken?>(nil)
        let useOwn: @Sendable () -> Void = {
          let token = own.withLock { $0 }
          token?.cancel()
          token?.finish()
          _ = token?.isCancelled
        }
        let token = reentrant(useOwn, runs, freed)
        own.withLock { $0 = token }
        if round % 2 == 0 { token.cancel() } else { token.finish() }
        try expectEqual(runs.value, round % 2 == 0 ? 1 : 0, "action runs, if the action cancels its token")
        try expectEqual(freed.value, 1, "deinits of captures that cancel their token")
        withExtendedLifetime(own.withLock { $0.take() }) {}
        if round % 16 == 0 { await Task.yield() }
      }
    }
  }

  private static func reentrant(
    _ use: @escaping @Sendable () -> Void, _ runs: Tally, _ freed: Tally
  ) -> CancellationToken {
    let deinitAction = DeinitAction {
      use()
      freed.add()
    }
    return CancellationToken {
      withExtendedLifetime(deinitAction) { use() }
      runs.add()
    }
  }
}

/// The error that services and operations throw.
struct TestError: Error, Equatable {}
