import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("RequestSlot: releases", .timeLimit(.minutes(5)), .endsWaits)
struct RequestSlotLifetimeTests {
  private let owner = RequestOwner()

  @Test("a released slot cancels its request and calls the completion handlers")
  func released() async throws {
    await owner.run(1)
    let call = try await owner.calls.next()
    await owner.notify(2)
    weak let released = owner.slot.value
    owner.slot.clear()
    #expect(released == nil)
    await call.waitForCancellation()
    call.succeed("one")
    await owner.settle()
    #expect(owner.log.values == ["completed 1", "completed 2"])
  }

  @Test("if the slot is released while an answer waits for the queue, the answer is dropped")
  func releasedAfterAnAnswer() async throws {
    await owner.run(1)
    let call = try await owner.calls.next()
    await owner.queue.run { [owner] in
      call.succeed("one")
      owner.slot.clear()
    }
    await owner.settle()
    #expect(owner.log.values == ["completed 1"])
  }

  @Test("a running request does not keep the slot or its owner alive")
  func ownership() async throws {
    let handlers = DeliveryLog<RequestOwner.Handler>()
    let (log, callbackQueue) = try await LeakTracker.check { tracker in
      let owner = tracker.track(RequestOwner())
      tracker.track(owner.slot.value!)
      await owner.run(1) { handler in
        handlers.append(handler)
        return tracker.track(CancellationToken {})
      }
      return (owner.log, owner.callbackQueue)
    }
    handlers.values[0](.success("late"))
    await callbackQueue.drain()
    #expect(log.values == ["completed 1"])
  }

  @Test("the captures of a request are released when the request is over")
  func releasesCaptures() async throws {
    for isCancelled in [false, true] {
      try await LeakTracker.check { tracker in
        let captured = tracker.track(Gate())
        await owner.run(1) { [calls = owner.calls] handler in
          let token = calls(1, completion: { result in withExtendedLifetime(captured) { handler(result) } })
          return tracker.track(CancellationToken { withExtendedLifetime(captured) { token.cancel() } })
        }
        if isCancelled { await owner.cancel()?.cancel() }
        try await owner.calls.next().succeed("one")
        await owner.settle()
      }
    }
  }

  @Test("when a request is replaced or its slot is released, the cancellation handler may wait for the queue")
  func waitsForTheQueue() async throws {
    let cancelled = Gate()
    let start: @Sendable (@escaping RequestOwner.Handler) -> CancellationToken = { [queue = owner.queue] _ in
      CancellationToken {
        queue.sync {}
        cancelled.open()
      }
    }
    await owner.run(1, start)
    await owner.run(2)
    await cancelled.wait()

    cancelled.close()
    await owner.run(3, start)
    // The last reference is released on the queue.
    await owner.queue.run { [owner] in owner.slot.clear() }
    await cancelled.wait()
    await owner.settle()
    #expect(owner.log.values == (1...3).map { "completed \($0)" })
  }

  @Test("an answer may release the last reference to the slot")
  func releasedByAnAnswer() async throws {
    for round in 1...300 {
      let owner = RequestOwner()
      let (first, second) = (Holder<RequestOwner.Handler>(), Holder<RequestOwner.Handler>())
      await owner.run(1) { [queue = owner.queue] handler in
        first.set(handler)
        return CancellationToken { queue.sync {} }
      }
      if round % 2 == 0 {
        await owner.run(2) { [queue = owner.queue] handler in
          second.set(handler)
          return CancellationToken { queue.sync {} }
        }
      }
      let (log, queue, callbackQueue) = (owner.log, owner.queue, owner.callbackQueue)
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        guard thread == 0 else { return owner.slot.clear() }
        first.value?(.success("one"))
        second.value?(.success("two"))
      }
      await queue.drain()
      await callbackQueue.drain()
      // The second request, if any, has replaced the first.
      let received = log.values.filter { $0.hasPrefix("received") }
      #expect([[], [round % 2 == 0 ? "received two" : "received one"]].contains(received))
      #expect(
        log.values.filter { $0.hasPrefix("completed") }.sorted()
          == (round % 2 == 0 ? ["completed 1", "completed 2"] : ["completed 1"]))
    }
  }

  @Test("the deinit of an object that a request captures may use the slot")
  func captureDeinit() async throws {
    await owner.run(1) { [owner] handler in
      let captured = Reentrant(1) { [weak owner] in
        owner?.queue.async { owner?.start(2) }
      }
      let token = owner.calls(1, completion: handler)
      return CancellationToken { withExtendedLifetime(captured) { token.cancel() } }
    }
    try await owner.calls.next().succeed("one")
    try await owner.calls.next().succeed("two")
    await owner.settle()
    // The results and the completion handlers arrive on different queues.
    #expect(owner.log.values.filter { $0.hasPrefix("received") } == ["received one", "received two"])
    #expect(owner.log.values.filter { $0.hasPrefix("completed") } == ["completed 1", "completed 2"])
  }
}
