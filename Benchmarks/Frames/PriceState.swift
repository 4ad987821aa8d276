import AsyncViewModels
import Dispatch
import Foundation
import Synchronization

/// The state of a screen with a live price, which changes all the time, and with a button.
struct PriceState: Sendable {
  private(set) var price = 0
  /// The number of the last tap on the button.
  private(set) var tap = 0

  mutating func receive(_ price: Int) { self.price = price }

  mutating func accept(tap number: Int) { tap = number }
}

/// A feed that sends prices at a steady rate, from its own thread. A thread that is late catches up.
struct PriceFeed: Sendable {
  let pricesPerSecond: Int

  /// Starts the thread. It ends when the token is cancelled or released.
  func observe(_ receive: @escaping @Sendable (Int) -> Void) -> CancellationToken {
    let run = Run()
    let thread = Thread {
      let (clock, interval) = (ContinuousClock(), Duration.seconds(1) / max(pricesPerSecond, 1))
      var (price, next) = (0, clock.now.advanced(by: interval))
      while !run.isStopped.load(ordering: .relaxed) {
        let now = clock.now
        while pricesPerSecond > 0, next <= now {
          price += 1
          receive(price)
          next = next.advanced(by: interval)
        }
        // Short enough for 10 prices at a time at the highest rate, and for a prompt end.
        usleep(50)
      }
    }
    thread.start()
    return CancellationToken { run.isStopped.store(true, ordering: .relaxed) }
  }

  /// The prices for a view model of the async stage. The thread runs while the stream is read.
  func prices() -> AsyncStream<Int> { AsyncStream(buffering: .unbounded, observing: observe) }

  private final class Run: Sendable {
    let isStopped = Atomic(false)
  }
}
