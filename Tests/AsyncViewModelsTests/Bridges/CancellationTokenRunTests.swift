import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@Suite("Async to completion handler", .timeLimit(.minutes(5)), .endsWaits)
struct CancellationTokenRunTests {
  private let queue = DispatchQueue(label: "completion")
  private let log = DeliveryLog<Result<Int, any Error>>()
  private let answered = Gate()

  /// Logs the result on `queue` and opens `answered`.
  private func start(_ work: @escaping @Sendable () async throws -> Int) -> CancellationToken {
    .run(
      completion: { [log, queue, answered] result in
        dispatchPrecondition(condition: .onQueue(queue))
        log.append(result)
        answered.open()
      }, on: queue, work)
  }

  @Test("the completion receives the value on the queue")
  func value() async throws {
    let token = start { 7 }
    await answered.wait()
    #expect(try log.values.map { try $0.get() } == [7])
    token.cancel()
    await queue.drain()
    #expect(log.values.count == 1)
  }

  @Test("the completion receives the error")
  func failure() async {
    let token = start { throw Refused() }
    await answered.wait()
    #expect(throws: Refused()) { try log.values.first?.get() }
    token.cancel()
  }

  @Test("without a queue, the completion still receives the value")
  func withoutQueue() async throws {
    let token = CancellationToken.run(
      completion: { [log, answered] result in
        log.append(result)
        answered.open()
      },
      { 7 })
    await answered.wait()
    #expect(try log.values.map { try $0.get() } == [7])
    token.cancel()
  }

  @Test("cancelling the token delivers a cancellation error at once, and drops the later result of the work")
  func cancellation() async {
    let (gate, ended) = (Gate(), Gate())
    let token = start {
      await gate.wait()
      defer { ended.open() }
      return Task.isCancelled ? 1 : 2
    }
    await gate.waitForArrivals(1)
    token.cancel()
    await answered.wait()
    #expect(log.values.map(\.isCancellation) == [true])
    gate.open()
    await ended.wait()
    await queue.drain()
    #expect(log.values.count == 1)
  }

  @Test("cancelling the token cancels the work, and drops the error that the work then throws")
  func cancelReachesTheWork() async {
    let (gate, ended) = (Gate(), Gate())
    let token = start {
      defer { ended.open() }
      // The error that the work throws because of its cancellation must not be delivered.
      do { try await gate.waitUnlessCancelled() } catch { throw Refused() }
      return 1
    }
    await gate.waitForArrivals(1)
    token.cancel()
    await ended.wait()
    await answered.wait()
    await queue.drain()
    #expect(log.values.map(\.isCancellation) == [true])
  }

  @Test("the completion is called before the work is cancelled, so the work cannot deliver a result first")
  func completesBeforeTheCancellation() async {
    let (gate, seen) = (Gate(), DeliveryLog<Int>())
    let token = start { [log, queue] in
      await withTaskCancellationHandler {
        await gate.wait()
        return 1
      } onCancel: {
        // Runs within `cancel()`. The queue has then received the call of the completion.
        queue.sync { seen.append(log.values.count) }
      }
    }
    await gate.waitForArrivals(1)
    token.cancel()
    #expect(seen.values == [1])
    gate.open()
    await answered.wait()
    #expect(log.values.map(\.isCancellation) == [true])
  }

  @Test("dropping the token cancels the work")
  func droppedToken() async {
    let gate = Gate()
    do {
      _ = start {
        try await gate.waitUnlessCancelled()
        return 1
      }
    }
    await answered.wait()
    #expect(log.values.map(\.isCancellation) == [true])
  }

  @Test("cancel() does not call the completion handler itself: the queue calls the handler later")
  func neverWithinCancel() async {
    let gate = Gate()
    let token = start {
      try await gate.waitUnlessCancelled()
      return 1
    }
    await queue.run { [log] in
      token.cancel()
      #expect(log.values.isEmpty)
    }
    await queue.drain()
    #expect(log.values.map(\.isCancellation) == [true])
  }

  @Test("without a queue, cancel() does not call the completion handler itself, either")
  func neverWithinCancelWithoutQueue() async {
    let (key, gate, isWithinCancel) = (DispatchSpecificKey<Bool>(), Gate(), DeliveryLog<Bool>())
    queue.setSpecific(key: key, value: true)
    let token = CancellationToken.run(
      completion: { [answered] (_: Result<Void, any Error>) in
        isWithinCancel.append(DispatchQueue.getSpecific(key: key) ?? false)
        answered.open()
      },
      { await gate.wait() })
    await gate.waitForArrivals(1)
    await queue.run { token.cancel() }
    await answered.wait()
    #expect(isWithinCancel.values == [false])
    gate.open()
  }

  @Test("the completion handler is released after its call, even if the token and the work live on")
  func completionIsReleased() async throws {
    let (gate, tracker) = (Gate(), LeakTracker())
    let token = startTracked(by: tracker, gate)
    await gate.waitForArrivals(1)
    token.cancel()
    await answered.wait()
    try await tracker.assertAllReleased()
    gate.open()
  }

  private func startTracked(by tracker: LeakTracker, _ gate: Gate) -> CancellationToken {
    let captured = tracker.track(DeliveryLog<Int>())
    return .run(
      completion: { [answered] (_: Result<Void, any Error>) in
        captured.append(1)
        answered.open()
      }, on: queue
    ) { await gate.wait() }
  }

  @Test("if a cancel races with the end of the work, the completion is called exactly once")
  func race() async {
    for _ in 0..<2_000 {
      let (log, gate, answered) = (DeliveryLog<Bool>(), Gate(), Gate())
      let token = CancellationToken.run(
        completion: { (result: Result<Int, any Error>) in
          log.append(result.isCancellation)
          answered.open()
        }, on: queue
      ) {
        await gate.wait()
        return 1
      }
      async let opened: Void = open(gate)
      token.cancel()
      await opened
      await answered.wait()
      await queue.drain()
      #expect(log.values.count == 1)
    }
  }

  @concurrent private func open(_ gate: Gate) async { gate.open() }
}

extension Result {
  fileprivate var isCancellation: Bool {
    if case .failure(let error) = self { error.isCancellation } else { false }
  }
}
