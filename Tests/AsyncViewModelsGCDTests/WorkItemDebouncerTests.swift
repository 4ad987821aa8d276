import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

/// A scheduler whose timers fire when the test calls their work.
///
/// The tests also fire cancelled timers, because the work of a real timer may have started before the cancel.
private final class ScriptedScheduler: CallbackScheduler {
  struct Timer: Sendable {
    let delay: Duration
    let queue: DispatchQueue
    let work: @Sendable () -> Void
    let token: CancellationToken
  }

  private let entries = Mutex<[Timer]>([])

  var timers: [Timer] { entries.withLock { $0 } }

  func schedule(
    after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) -> CancellationToken {
    let token = CancellationToken {}
    entries.withLock { $0.append(Timer(delay: delay, queue: queue, work: work, token: token)) }
    return token
  }
}

@Suite("WorkItemDebouncer", .timeLimit(.minutes(5)), .endsWaits)
struct WorkItemDebouncerTests {
  private let scheduler = ScriptedScheduler()
  private let log = DeliveryLog<Int>()
  private let queue = DispatchQueue(label: "debounce")

  private func makeDebouncer() -> WorkItemDebouncer {
    WorkItemDebouncer(delay: .milliseconds(300), queue: queue, scheduler: scheduler)
  }

  @Test("only the last submission runs, even if the cancelled timers of earlier submissions fire")
  func lastSubmissionRuns() {
    let debouncer = makeDebouncer()
    for value in 1...3 { debouncer.submit { [log] in log.append(value) } }
    #expect(scheduler.timers.map(\.delay) == Array(repeating: .milliseconds(300), count: 3))
    #expect(scheduler.timers.allSatisfy { $0.queue === queue })
    #expect(scheduler.timers.map(\.token.isCancelled) == [true, true, false])
    for timer in scheduler.timers { timer.work() }
    #expect(log.values == [3])
  }

  @Test("work runs once, even if its timer fires again, and later work waits for its own timer")
  func submitAgain() {
    let debouncer = makeDebouncer()
    debouncer.submit { [log] in log.append(1) }
    scheduler.timers[0].work()
    scheduler.timers[0].work()
    debouncer.submit { [log] in log.append(2) }
    scheduler.timers[0].work()
    #expect(log.values == [1])
    scheduler.timers[1].work()
    #expect(log.values == [1, 2])
  }

  @Test("cancelled work never runs, even if its timer fires")
  func cancel() {
    let debouncer = makeDebouncer()
    debouncer.submit { [log] in log.append(1) }
    debouncer.cancel()
    #expect(scheduler.timers[0].token.isCancelled)
    scheduler.timers[0].work()
    #expect(log.values.isEmpty)
  }

  @Test("a released debouncer cancels the waiting work and runs nothing")
  func cancelsOnDeinit() {
    var debouncer: WorkItemDebouncer? = makeDebouncer()
    debouncer?.submit { [log] in log.append(1) }
    weak let released = debouncer
    debouncer = nil
    #expect(released == nil)
    #expect(scheduler.timers[0].token.isCancelled)
    scheduler.timers[0].work()
    #expect(log.values.isEmpty)
  }

  @Test("work may submit other work to its debouncer")
  func reentrant() {
    let debouncer = makeDebouncer()
    debouncer.submit { [log] in
      log.append(1)
      debouncer.submit { log.append(2) }
    }
    scheduler.timers[0].work()
    #expect(scheduler.timers.count == 2)
    scheduler.timers[1].work()
    #expect(log.values == [1, 2])
    debouncer.cancel()
  }

  @Test("work that is submitted while the scheduler schedules earlier work supersedes the earlier work")
  func supersededWhileScheduling() {
    final class InterruptingScheduler: CallbackScheduler {
      let tokens = DeliveryLog<CancellationToken>()
      let interruption = Mutex<(@Sendable () -> Void)?>(nil)

      func schedule(
        after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
      ) -> CancellationToken {
        let token = CancellationToken {}
        tokens.append(token)
        interruption.withLock { $0.take() }?()
        return token
      }
    }
    let scheduler = InterruptingScheduler()
    let debouncer = WorkItemDebouncer(delay: .zero, queue: queue, scheduler: scheduler)
    scheduler.interruption.withLock { $0 = { debouncer.submit {} } }
    debouncer.submit {}
    #expect(scheduler.tokens.values.map(\.isCancelled) == [true, false])
  }

  @Test("if submissions race and all timers fire late, exactly one submission runs")
  func race() {
    for _ in 0..<1_000 {
      let (scheduler, log) = (ScriptedScheduler(), DeliveryLog<Int>())
      let debouncer = WorkItemDebouncer(delay: .zero, queue: queue, scheduler: scheduler)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        debouncer.submit { log.append(thread) }
      }
      #expect(scheduler.timers.count(where: { !$0.token.isCancelled }) == 1)
      DispatchQueue.concurrentPerform(iterations: 4) { scheduler.timers[$0].work() }
      #expect(log.values.count == 1)
    }
  }

  @Test("an endless delay is limited to a delay that every scheduler can represent")
  func endlessDelay() throws {
    let debouncer = WorkItemDebouncer(delay: .seconds(Int64.max), queue: queue, scheduler: scheduler)
    debouncer.submit {}
    let delay = try #require(scheduler.timers.first).delay
    #expect(delay > .seconds(1_000_000_000) && delay < .seconds(10_000_000_000))
  }

  @Test("with the default scheduler, work runs on the queue in real time")
  func realTime() async {
    let debouncer = WorkItemDebouncer(delay: .milliseconds(1), queue: queue)
    await withCheckedContinuation { continuation in
      debouncer.submit { [queue] in
        dispatchPrecondition(condition: .onQueue(queue))
        continuation.resume()
      }
    }
  }
}
