import AsyncViewModels
import Dispatch

extension StressProgram {
  static var completions: [StressProgram] {
    [
      StressProgram(
        name: "run-to-completion",
        summary:
          "the first handler call, immediate or later, is passed on, and an answered call is not cancelled",
        run: run),
      StressProgram(
        name: "run-to-completion-async",
        summary: "async work runs to its end on no actor, even if its caller is cancelled, and is released",
        run: runAsync),
    ]
  }

  private static func run(load: Load) async throws {
    let findings = Findings()
    try await load.inParallel { task in
      for round in 1...30 {
        for behavior in LegacyCall.Behavior.allCases where behavior != .never {
          let call = LegacyCall(behavior)
          let completed = Tally()
          runToCompletion({ call.start(round, $0) }) { result in
            findings.expect((try? result.get()) == round, "the completion received \(result)")
            completed.add()
          }
          await until { completed.value == min(behavior.calls, 1) }
          if behavior.calls > 0 {
            findings.expect(call.cancels.value == 0, "\(behavior): the call was cancelled")
          }
          await until { call.isReleased }
        }
        for _ in 1...5 { try await expectTokenKept(round) }
      }
    }
    try findings.check()
  }

  private static func runAsync(load: Load) async throws {
    let (ended, live, findings) = (Tally(), Tally(), Findings())
    let rounds = 4_000 / load.tasks
    try await load.inParallel { task in
      for round in 1...rounds {
        live.add()
        let captured = DeinitAction { live.add(-1) }
        let caller = Task {
          try await runOnMain(round, captured, ended, findings)
        }
        if round % 2 == 0 { caller.cancel() }
        do {
          try expectEqual(try await caller.value, round, "the answer of the work")
          try expect(round % 3 != 0, "the work's error was lost")
        } catch is TestError {
          try expect(round % 3 == 0, "the work failed")
        }
      }
    }
    try expectEqual(ended.value, rounds * load.tasks, "completed runs of the work")
    await until { live.value == 0 }
    try findings.check()
  }

  @MainActor
  private static func runOnMain(
    _ number: Int, _ captured: DeinitAction, _ ended: Tally, _ findings: Findings
  ) async throws -> Int {
    defer { MainActor.preconditionIsolated() }
    return try await runToCompletion {
      dispatchPrecondition(condition: .notOnQueue(.main))
      await Task.yield()
      findings.expect(!Task.isCancelled, "the work was cancelled")
      withExtendedLifetime(captured) { _ = ended.add() }
      if number % 3 == 0 { throw TestError() }
      return number
    }
  }

  /// Checks that the call keeps its token alive until the handler is called, and that a cancellation of the
  /// token inside the completion has no effect.
  private static func expectTokenKept(_ round: Int) async throws {
    let call = LegacyCall(.never)
    let completed = Tally()
    runToCompletion({ call.start(round, $0) }) { _ in
      call.token?.cancel()
      completed.add()
    }
    await Task.yield()
    try expect(call.token != nil, "the token was released before the answer")
    await atOnce({ call.answer(round) }, { call.answer(round) }, { call.answer(round) })
    try expectEqual(completed.value, 1, "calls of the completion")
    try expectEqual(call.cancels.value, 0, "cancellations of a call that must run to completion")
    call.releaseHandler()
    await until { call.isReleased }
  }
}
