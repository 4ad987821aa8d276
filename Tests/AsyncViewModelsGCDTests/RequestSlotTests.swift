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

  /// Starts one more request, answers it, and waits until the completion handler has been called.
  private func finishAnother() async throws {
    await owner.run(9)
    try await owner.calls.next().succeed("another")
    await owner.settle()
  }
}
