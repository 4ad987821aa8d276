import AsyncViewModelsBenchmarkHarness
import Synchronization

/// Observers of a peer that cannot tell when they have subscribed. The crowd sends calls until all of them have answered.
struct Crowd: Sendable {
  private let observers: [Task<Void, Never>]
  private let arrivals = Latch()
  private let size: Int
  private let burst: Int
  private let send: @Sendable (ClosedRange<Int>) async -> Void

  private static let call = -1
  private static let patience = 5_000

  /// Not all observers answered.
  struct Absence: Error {}

  /// - Parameters:
  ///   - burst: The number of values in a burst: a power of two, so that an observer finds the last one with a mask.
  ///   - send: Sends these values in a tight loop.
  ///   - observe: Subscribes, and passes each value to `see` until it is cancelled.
  /// - Throws: ``Absence``.
  init(
    size: Int, burst: Int, send: @escaping @Sendable (ClosedRange<Int>) async -> Void,
    observe: @escaping @Sendable (_ see: @escaping @Sendable (Int) -> Void) async -> Void
  ) async throws {
    self.size = size
    self.burst = burst
    self.send = send
    let arrivals = arrivals
    let present = Present()
    observers = (0..<size).map { number in
      Task {
        await observe { value in
          if value & (burst - 1) == 0 { arrivals.arrive() } else if value < 0 { present.note(number) }
        }
      }
    }
    for _ in 0..<Self.patience where present.count < size {
      await send(Self.call...Self.call)
      try await Task.sleep(for: .milliseconds(1))
    }
    if present.count < size {
      leaveAtOnce()
      throw Absence()
    }
  }

  /// Sends the values `1...burst` in a tight loop and returns when every observer has seen the last one.
  func play() async {
    arrivals.expect(size)
    await send(1...burst)
    await arrivals.wait()
  }

  /// Cancels the observers and waits for them.
  func leave() async {
    leaveAtOnce()
    for observer in observers { await observer.value }
  }

  private func leaveAtOnce() {
    for observer in observers { observer.cancel() }
  }

  private final class Present: Sendable {
    private let numbers = Mutex<Set<Int>>([])
    var count: Int { numbers.withLock(\.count) }
    func note(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
  }
}
