import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("RequestSlot", .timeLimit(.minutes(5)), .endsWaits)
struct RequestSlotTests {
  private let owner = RequestOwner()

  @Test("a result is received on the queue, and then the completion handler is called")
  func result() async throws {
    await owner.run(1)
    let call = try await owner.calls.next()
    #expect(owner.log.values.isEmpty)
    call.succeed("one")
    await owner.settle()
    #expect(owner.log.values == ["received one", "completed 1"])
    #expect(!call.isCancelled)
  }

  @Test("an error is received like a result, and then the completion handler is called")
  func failure() async throws {
    await owner.run(1)
    try await owner.calls.next().fail(Refused())
    await owner.settle()
    #expect(owner.log.values == ["failed", "completed 1"])
  }

  @Test("at the deadline, a request fails, is cancelled, and its late result is dropped")
  func deadline() async throws {
    let owner = RequestOwner(deadline: .seconds(5))
    await owner.run(1)
    let call = try await owner.calls.next()
    await owner.clock.waitForSleepers(1)
    owner.clock.advance(by: .seconds(4))
    await owner.settle()
    #expect(owner.log.values == [])
    owner.clock.advance(by: .seconds(1))
    await call.waitForCancellation()
    call.succeed("one")
    await owner.settle()
    #expect(owner.log.values == ["expired", "completed 1"])
    #expect(await owner.cancel() == nil)
  }

  @Test("a request whose deadline is not positive does not start", arguments: [0, -1])
  func noTime(seconds: Int) async {
    let owner = RequestOwner(deadline: .seconds(seconds))
    await owner.run(1)
    await owner.settle()
    #expect(owner.log.values == ["expired", "completed 1"])
    #expect(owner.calls.requests.isEmpty)
  }

  @Test("the longest deadline does not overflow the time of a clock")
  func longestDeadline() async {
    let owner = RequestOwner(deadline: Duration(attoseconds: .max))
    owner.clock.advance(by: .seconds(1))
    await owner.run(1)
    #expect(owner.clock.sleeperCount == 1)
    _ = await owner.cancel()
  }

  @Test("a deadline ends with its request: with a result, a replacement or a cancellation")
  func endedDeadline() async throws {
    let owner = RequestOwner(deadline: .seconds(5))
    await owner.run(1)
    _ = try await owner.calls.next()
    await owner.run(2)
    let second = try await owner.calls.next()
    #expect(owner.clock.sleeperCount == 1)
    second.succeed("two")
    await owner.settle()
    #expect(owner.clock.sleeperCount == 0)
    await owner.run(3)
    _ = await owner.cancel()
    #expect(owner.clock.sleeperCount == 0)
    await owner.settle()
    #expect(owner.log.values == ["received two", "completed 1", "completed 2", "completed 3"])
    // A service can call back at once, and an owner can release its slot.
    await owner.run(4) { handler in
      handler(.success("four"))
      return .finished
    }
    await owner.run(5)
    owner.slot.clear()
    await owner.settle()
    #expect(owner.clock.sleeperCount == 0)
  }

  @Test(
    "if a request is replaced, its late result is dropped, and its callers wait for the new request")
  func replaced() async throws {
    await owner.run(1)
    let first = try await owner.calls.next()
    await owner.run(2)
    let second = try await owner.calls.next()
    await first.waitForCancellation()
    first.succeed("one")
    await owner.settle()
    #expect(owner.log.values == [])
    second.succeed("two")
    await owner.settle()
    #expect(owner.log.values == ["received two", "completed 1", "completed 2"])
    #expect(!second.isCancelled)
  }

  @Test("cancel() drops the running request and calls the completion handlers of its callers")
  func cancelled() async throws {
    await owner.run(1)
    let call = try await owner.calls.next()
    let token = await owner.cancel()
    #expect(!call.isCancelled)
    token?.cancel()
    #expect(call.isCancelled)
    call.succeed("one")
    await owner.settle()
    #expect(owner.log.values == ["completed 1"])
    #expect(await owner.cancel() == nil)

    await owner.run(2)
    try await owner.calls.next().succeed("two")
    await owner.settle()
    #expect(owner.log.values == ["completed 1", "received two", "completed 2"])
    #expect(await owner.cancel() == nil)
  }

  @Test("cancel(_:) runs a change and drops the request on the queue, and cancels the service outside it")
  func cancelledFromOutside() async throws {
    owner.cancel { Issue.record("no request is running") }
    await owner.run(1) { [log = owner.log, queue = owner.queue] _ in
      CancellationToken {
        queue.sync {}
        log.append("cancelled")
      }
    }
    await owner.notify(2)
    owner.cancel { [log = owner.log, queue = owner.queue] in
      dispatchPrecondition(condition: .onQueue(queue))
      log.append("changed")
    }
    #expect(owner.log.values.contains("cancelled"))
    owner.cancel { Issue.record("the request has ended") }
    await owner.settle()
    #expect(owner.log.values.filter { $0 != "cancelled" } == ["changed", "completed 1", "completed 2"])
  }

  @Test("cancel(_:) of several slots changes the owner once, and cancels the running requests")
  func cancelledTogether() async throws {
    let queue = DispatchQueue(label: "slots")
    let (calls, changes) = (ScriptedCalls<Int, String>(ignoringCancellation: true), Tally())
    let slots = (1...3).map { _ in RequestSlot(queue: queue) }
    [RequestSlot]().cancel { changes.increment() }
    slots.cancel { changes.increment() }
    #expect(changes.count == 0)
    await queue.run {
      for number in 1...2 {
        slots[number].run {
          calls(number, completion: $0)
        } receive: { _ in
          Issue.record("the requests are cancelled")
        }
      }
    }
    let requests = [try await calls.next(), try await calls.next()]
    slots.cancel { changes.increment() }
    #expect(changes.count == 1)
    for request in requests {
      #expect(request.isCancelled)
      request.succeed("late")
    }
    await queue.drain()
    slots.cancel { changes.increment() }
    #expect(changes.count == 1)
  }

  @Test("begin(_:) replaces the running request, and its callers wait for the request that starts later")
  func begun() async throws {
    await owner.run(1)
    let first = try await owner.calls.next()
    await owner.begin(2)
    await first.waitForCancellation()
    first.succeed("one")
    await owner.notify(3)
    await owner.settle()
    #expect(owner.log.values == [])
    await owner.run(4)
    try await owner.calls.next().succeed("four")
    await owner.settle()
    #expect(owner.log.take() == ["received four"] + (1...4).map { "completed \($0)" })

    await owner.begin(5)
    await owner.settle()
    #expect(owner.log.values == [])
    owner.cancel { [log = owner.log] in log.append("changed") }
    await owner.settle()
    #expect(owner.log.take() == ["changed", "completed 5"])

    await owner.begin(6)
    owner.slot.clear()
    await owner.settle()
    #expect(owner.log.values == ["completed 6"])
  }

  @Test("cancelRequest() drops the running request, and its callers wait for the next request or a cancel()")
  func replacedLater() async throws {
    await owner.run(1)
    let first = try await owner.calls.next()
    await owner.queue.run { [owner] in owner.slot.value?.cancelRequest()?.cancelOnGlobalQueue() }
    await first.waitForCancellation()
    first.succeed("one")
    await owner.queue.run { [owner] in #expect(owner.slot.value?.cancelRequest() == nil) }
    await owner.settle()
    #expect(owner.log.values == [])
    await owner.run(2)
    try await owner.calls.next().succeed("two")
    await owner.settle()
    #expect(owner.log.take() == ["received two", "completed 1", "completed 2"])

    await owner.run(3)
    await owner.queue.run { [owner] in owner.slot.value?.cancelRequest()?.cancelOnGlobalQueue() }
    #expect(await owner.cancel() == nil)
    await owner.settle()
    #expect(owner.log.take() == ["completed 3"])

    await owner.run(4)
    await owner.queue.run { [owner] in owner.slot.value?.cancelRequest()?.cancelOnGlobalQueue() }
    owner.cancel { Issue.record("no request is running") }
    await owner.settle()
    #expect(owner.log.values == ["completed 4"])
  }

  @Test("if several threads answer a request, only one answer counts, and late answers are dropped")
  func answeredTwice() async throws {
    for round in 1...100 {
      let handlers = DeliveryLog<RequestOwner.Handler>()
      await owner.run(round) { handler in
        handlers.append(handler)
        return CancellationToken {}
      }
      DispatchQueue.concurrentPerform(iterations: 4) { thread in handlers.values[0](.success("\(thread)")) }
      await owner.settle()
      #expect(owner.log.values.count == 2)
      #expect(owner.log.values.last == "completed \(round)")
      handlers.values[0](.success("late"))
      await owner.run(-round)
      handlers.values[0](.success("too late"))
      try await owner.calls.next().succeed("next")
      await owner.settle()
      #expect(Array(owner.log.take().suffix(2)) == ["received next", "completed -\(round)"])
    }
  }

  @Test("an answer that arrives while the request starts is received after the start")
  func synchronousAnswer() async throws {
    await owner.run(1) { [log = owner.log] handler in
      handler(.success("at once"))
      handler(.failure(Refused()))
      log.append("started")
      return CancellationToken { log.append("cancelled") }
    }
    await owner.settle()
    #expect(owner.log.values == ["started", "received at once", "completed 1"])
  }

  @Test("the completion handlers of all callers run once, in the order in which the callers came")
  func joinedCallers() async throws {
    await owner.run(1)
    for number in 2...5 { await owner.notify(number) }
    await owner.queue.run { [owner] in owner.slot.value?.notify(nil) }
    await owner.settle()
    #expect(owner.log.values.isEmpty)
    try await owner.calls.next().succeed("one")
    await owner.settle()
    #expect(owner.log.values == ["received one"] + (1...5).map { "completed \($0)" })
    try await finishAnother()
    #expect(owner.log.values.count == 8)
  }

  @Test("if no request is running, notify(_:) enqueues the completion handler at once")
  func idle() async throws {
    await owner.notify(1)
    await owner.queue.run { [owner] in owner.slot.value?.notify(nil) }
    await owner.settle()
    #expect(owner.log.values == ["completed 1"])
  }

  @Test("if `receive` starts another request, the callers also wait for that request")
  func nextPage() async throws {
    owner.onReceive { owner in owner.start(nil) }
    await owner.run(1)
    let first = try await owner.calls.next()
    first.succeed("one")
    let second = try await owner.calls.next()
    owner.onReceive { _ in }
    await owner.notify(2)
    await owner.settle()
    #expect(owner.log.values == ["received one"])
    #expect(!first.isCancelled)
    second.succeed("two")
    await owner.settle()
    #expect(owner.log.values == ["received one", "received two", "completed 1", "completed 2"])
  }

  @Test("if the release of a replaced request starts another request, that request is the newest")
  func releaseStarts() async throws {
    let (queue, replaced, kept) = (DispatchQueue(label: "slot"), Gate(), Gate())
    let slot = RequestSlot(queue: queue)
    await queue.run {
      var starter: OnRelease? = OnRelease { [weak slot] in
        slot?.run { (_: @escaping @Sendable (Result<Int, any Error>) -> Void) in
          CancellationToken { kept.open() }
        } receive: { _ in
        }
      }
      slot.run(deadline: .seconds(60)) { (_: @escaping @Sendable (Result<Int, any Error>) -> Void) in
        .finished
      } receive: { [starter] _ in
        withExtendedLifetime(starter) {}
      }
      starter = nil
      slot.run { (_: @escaping @Sendable (Result<Int, any Error>) -> Void) in
        CancellationToken {
          dispatchPrecondition(condition: .notOnQueue(queue))
          replaced.open()
        }
      } receive: { _ in
      }
    }
    await replaced.wait()
    #expect(!kept.isOpen)
    await queue.run { slot.cancel()?.cancelOnGlobalQueue() }
    await kept.wait()
  }

  /// Calls a closure when it is released.
  private final class OnRelease: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
  }

  @Test("if `receive` starts a request and cancels or replaces it, each completion handler runs once")
  func receiveCancels() async throws {
    owner.onReceive { owner in
      owner.start(2)
      owner.slot.value?.cancel()?.cancelOnGlobalQueue()
    }
    await owner.run(1)
    try await owner.calls.next().succeed("one")
    await (try owner.calls.next()).waitForCancellation()
    await owner.settle()
    #expect(owner.log.take() == ["received one", "completed 1", "completed 2"])

    owner.onReceive { owner in
      owner.start(4)
      owner.start(5)
      owner.onReceive { _ in }
    }
    await owner.run(3)
    try await owner.calls.next().succeed("three")
    await (try owner.calls.next()).waitForCancellation()
    try await owner.calls.next().succeed("five")
    await owner.settle()
    #expect(
      owner.log.values
        == ["received three", "received five", "completed 3", "completed 4", "completed 5"])
  }

  @Test("if `start` cancels or replaces its own request, the token that `start` returns is cancelled")
  func startCancels() async throws {
    let cancelled = Gate()
    await owner.run(1) { [owner] handler in
      _ = owner.slot.value?.cancel()
      handler(.success("dropped"))
      return CancellationToken { cancelled.open() }
    }
    await cancelled.wait()
    await owner.settle()
    #expect(owner.log.take() == ["completed 1"])

    let replaced = Gate()
    await owner.run(2) { [owner] _ in
      owner.start(3)
      return CancellationToken { replaced.open() }
    }
    await replaced.wait()
    let inner = try await owner.calls.next()
    #expect(!inner.isCancelled)
    inner.succeed("three")
    await owner.settle()
    #expect(owner.log.values == ["received three", "completed 2", "completed 3"])
  }

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

  /// Starts one more request, answers it, and waits until the completion handler has been called.
  private func finishAnother() async throws {
    await owner.run(9)
    try await owner.calls.next().succeed("another")
    await owner.settle()
  }
}
