import Synchronization
import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct SubscribersTests {
  /// Passes the initial value 0 when the first value of the burst is sent, and then the last value of the burst.
  private final class Source: Sendable {
    let sent = AsyncStream<Int>.makeStream()
    let arrivals = Mutex<Latch?>(nil)
    /// The number of arrivals that the burst still waits for after the observer has seen the initial value.
    let missing = Mutex<Int?>(nil)

    func values() -> AsyncStream<Int> {
      let position = Mutex(0)
      let source = self
      return AsyncStream { [sent = sent.stream] in
        var values = sent.makeAsyncIterator()
        let step = position.withLock { position in
          position += 1
          return position
        }
        switch step {
        case 1:
          _ = await values.next()
          return 0
        case 2:
          let latch = source.arrivals.withLock { $0 }
          source.missing.withLock { $0 = latch?.state.withLock { $0.missing } }
          return 2
        default: return await values.next()
        }
      }
    }
  }

  @Test("the initial value 0 of a state is not the last value of a burst")
  func initialValue() async {
    let source = Source()
    let subscribers = await Subscribers(of: source, count: 1, burst: 2) { $0.values() }
    source.arrivals.withLock { $0 = subscribers.arrivals }
    await subscribers.play(burst: 2) { source, value in
      if value == 1 { source.sent.continuation.yield(value) }
    }
    #expect(source.missing.withLock { $0 } == 1)
    await subscribers.leave()
  }
}
