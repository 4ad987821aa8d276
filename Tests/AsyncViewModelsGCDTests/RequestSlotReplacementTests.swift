import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("RequestSlot: requests that are replaced or cancelled", .timeLimit(.minutes(5)), .endsWaits)
struct RequestSlotReplacementTests {
  private let owner = RequestOwner()

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
}
