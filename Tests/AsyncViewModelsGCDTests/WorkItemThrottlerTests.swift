import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@Suite("WorkItemThrottler", .timeLimit(.minutes(5)), .endsWaits)
struct WorkItemThrottlerTests {
  private let clock = VirtualClock()
  private let log = DeliveryLog<Int>()
  private let queue = DispatchQueue(label: "throttle")
  private let interval = Duration.milliseconds(100)

  private func makeThrottler(_ interval: Duration) -> WorkItemThrottler {
    WorkItemThrottler(interval: interval, queue: queue, scheduler: clock)
  }

  private func submit(_ values: ClosedRange<Int>, to throttler: WorkItemThrottler) {
    queue.sync {
      for value in values {
        throttler.submit { [log, queue] in
          dispatchPrecondition(condition: .onQueue(queue))
          log.append(value)
        }
      }
    }
  }

  /// Advances the time, and returns when the timers that are due have fired.
  private func advance(by duration: Duration) {
    clock.advance(by: duration)
    queue.sync {}
  }

  @Test("the first work of a burst runs at once, the last at the end of the interval, the others never")
  func burst() {
    let throttler = makeThrottler(interval)
    submit(1...5, to: throttler)
    #expect(log.values == [1])
    advance(by: interval - .milliseconds(1))
    #expect(log.values == [1])
    advance(by: .milliseconds(1))
    #expect(log.values == [1, 5])
    submit(6...7, to: throttler)
    #expect(log.values == [1, 5], "the last work has begun the next interval")
    advance(by: interval)
    #expect(log.values == [1, 5, 7])
  }

  @Test("after an interval without waiting work, work runs at once again")
  func quiet() {
    let throttler = makeThrottler(interval)
    submit(1...1, to: throttler)
    advance(by: interval)
    #expect(clock.sleeperCount == 0)
    submit(2...2, to: throttler)
    #expect(log.values == [1, 2])
  }

  @Test("without a positive interval, all work runs at once", arguments: [Duration.zero, .seconds(-1)])
  func noInterval(_ interval: Duration) {
    submit(1...3, to: makeThrottler(interval))
    #expect(log.values == [1, 2, 3])
    #expect(clock.sleeperCount == 0)
  }

  @Test("work that submits work is followed by that work at the end of the interval")
  func reentrant() {
    let throttler = makeThrottler(interval)
    queue.sync {
      throttler.submit { [log] in
        throttler.submit { log.append(2) }
        log.append(1)
      }
    }
    #expect(log.values == [1])
    advance(by: interval)
    #expect(log.values == [1, 2])
  }

  @Test("work that is submitted by the release of the work that it replaces runs at the end of the interval")
  func submissionOfRelease() {
    let throttler = makeThrottler(interval)
    queue.sync {
      throttler.submit { [log] in log.append(1) }
      let released = Reentrant(2) { [log] in throttler.submit { log.append(4) } }
      throttler.submit { [log] in log.append(released.number) }
    }
    submit(3...3, to: throttler)
    advance(by: interval)
    #expect(log.values == [1, 4])
  }

  @Test("a throttler that is released drops its waiting work and its timer")
  func released() {
    var throttler: WorkItemThrottler? = makeThrottler(interval)
    submit(1...2, to: throttler!)
    throttler = nil
    #expect(clock.sleeperCount == 0)
    advance(by: interval)
    #expect(log.values == [1])
  }

  @Test("an endless interval is limited to a delay that every scheduler can represent")
  func endlessInterval() {
    let throttler = makeThrottler(.seconds(Int64.max))
    submit(1...2, to: throttler)
    advance(by: .seconds(10_000_000_000))
    #expect(log.values == [1, 2])
  }
}
