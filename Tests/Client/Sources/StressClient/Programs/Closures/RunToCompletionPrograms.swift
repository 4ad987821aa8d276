import AsyncViewModels
import Dispatch

extension StressProgram {
  static var completions: [StressProgram] {
    [
      StressProgram(
        name: "run-to-completion",
        summary:
          "every handler call is passed on, immediate or later, and the call is not cancelled before it",
        run: run)
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
          await until { completed.value == behavior.calls }
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

  /// Only the call itself keeps its token until its handler is called. A cancellation inside the completion
  /// has no effect.
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
    try expectEqual(completed.value, 3, "calls of the completion")
    try expectEqual(call.cancels.value, 0, "cancellations of a call that must run to completion")
    call.releaseHandler()
    await until { call.isReleased }
  }
}
