import AsyncViewModelsBenchmarkHarness
import Synchronization

/// Observers of a peer that does not report when a subscription is complete.
///
/// The initializer sends a probe value again and again until every observer has received one.
struct ObserverGroup: Sendable {
  private let observers: [Task<Void, Never>]
  private let arrivals = Latch()
  private let size: Int
  private let burst: Int
  private let send: @Sendable (ClosedRange<Int>) async -> Void

  private static let probe = -1
  private static let maximumAttempts = 5_000

  /// Some observers did not receive a probe value within about five seconds.
  struct SubscriptionTimeout: Error {}

  /// - Parameters:
  ///   - burst: The number of values in a burst: a power of two greater than 1, so that an observer
  ///     recognizes the last value with a bit mask.
  ///   - send: Sends the values of a range in a tight loop.
  ///   - observe: Subscribes, and passes each value to `see` until the current task is cancelled.
  /// - Throws: ``SubscriptionTimeout``, or `CancellationError` if the task is cancelled.
  init(
    size: Int, burst: Int, send: @escaping @Sendable (ClosedRange<Int>) async -> Void,
    observe: @escaping @Sendable (_ see: @escaping @Sendable (Int) -> Void) async -> Void
  ) async throws {
    precondition(burst > 1, "a burst has more than one value")
    self.size = size
    self.burst = burst
    self.send = send
    let arrivals = arrivals
    let subscribed = Subscribed()
    observers = (0..<size).map { number in
      Task {
        await observe { value in
          if value & (burst - 1) == 0 { arrivals.arrive() } else if value < 0 { subscribed.insert(number) }
        }
      }
    }
    do {
      for _ in 0..<Self.maximumAttempts where subscribed.count < size {
        await send(Self.probe...Self.probe)
        try await Task.sleep(for: .milliseconds(1))
      }
      if subscribed.count < size { throw SubscriptionTimeout() }
    } catch {
      for observer in observers { observer.cancel() }
      throw error
    }
  }

  /// Sends the values `1...burst` in a tight loop, and returns when every observer has received the last one.
  func sendBurst() async {
    arrivals.expect(size)
    await send(1...burst)
    await arrivals.wait()
  }

  /// Cancels the observers and waits for them.
  func cancelAndWait() async {
    for observer in observers { observer.cancel() }
    for observer in observers { await observer.value }
  }

  /// The numbers of the observers that have received a probe value.
  private final class Subscribed: Sendable {
    private let numbers = Mutex<Set<Int>>([])
    var count: Int { numbers.withLock(\.count) }
    func insert(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
  }
}
