import AsyncViewModelsGCD
import Dispatch

extension StressProgram {
  static var requestSlots: [StressProgram] {
    [
      StressProgram(
        name: "request-slot",
        summary:
          "only the newest request's result is received; each caller's completion is called once, in order",
        run: run)
    ]
  }

  /// `@unchecked Sendable`: `queue` guards the variables.
  private final class Owner: @unchecked Sendable {
    let queue = DispatchQueue(label: "request-slot")
    let callbackQueue = DispatchQueue(label: "request-slot callbacks")
    let calls: OrderedCalls
    let callers = Tally()
    let findings: Findings
    private let slot: RequestSlot
    private var current: LegacyCall?

    init(_ findings: Findings) {
      self.findings = findings
      calls = OrderedCalls(senders: 1, findings)
      slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
    }

    func start(_ call: LegacyCall, again: LegacyCall? = nil) {
      queue.async { [self] in
        current = call
        slot.run(caller()) {
          call.start(1, $0)
        } receive: { [weak self] (_: Result<Int, any Error>) in
          self?.receive(call, again)
        }
      }
    }

    func notify() {
      queue.async { [self] in
        slot.notify(nil)
        slot.notify(caller())
      }
    }

    func cancel() {
      queue.async { [self] in
        current = nil
        slot.cancel()?.cancelOnGlobalQueue()
      }
    }

    /// Cancels the request. Its callers wait for the next request.
    func cancelRequest() {
      queue.async { [self] in
        current = nil
        slot.cancelRequest()?.cancelOnGlobalQueue()
      }
    }

    private func receive(_ call: LegacyCall, _ again: LegacyCall?) {
      findings.expect(current === call, "a request was received that is not the newest")
      current = nil
      if let again { start(again) }
    }

    private func caller() -> RequestSlot.Completion {
      let number = callers.add()
      return { [calls] in calls.note(Sent(sender: 0, number: number)) }
    }
  }

  private static func run(load: Load) async throws {
    let findings = Findings()
    let all = LegacyCall.Behavior.allCases
    try await load.inParallel { task in
      for round in 1...60 {
        var owner: Owner? = Owner(findings)
        weak let released = owner
        let (calls, callers) = (owner!.calls, owner!.callers)
        var started: [LegacyCall] = []
        for step in 1...10 {
          let call = LegacyCall(all[(task + round * step) % all.count])
          started.append(call)
          switch (task + round + step) % 5 {
          case 0: owner!.notify()
          case 1: owner!.cancel()
          case 2: owner!.cancelRequest()
          default: break
          }
          owner!.start(call, again: step % 4 == 0 ? LegacyCall(.later) : nil)
          if step % 3 == 0 { await Task.yield() }
          call.answer(2)
        }
        owner = nil
        await until { released == nil }
        await until { calls.calls.value == callers.value }
        for call in started {
          call.releaseHandler()
          await until { call.isReleased }
        }
      }
    }
    try findings.check()
  }
}
