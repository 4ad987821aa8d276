import AsyncViewModelsRequests
import Synchronization

/// The values of a ``RevalidatingCache``, the functions that load them, and the running requests.
final class RevalidatingStore<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The request that readers share. A removal begins a new epoch, and later readers a new request.
  private struct Flight: Hashable, Sendable, CustomStringConvertible {
    let key: Key
    let epoch: Int

    var description: String { "\(key)" }
  }

  let entries: Mutex<RevalidatedEntries<Key, Value>>
  private let flights = SingleFlight<Flight, Value>()
  private let cost: @Sendable (Value) -> Int
  private let isGone: @Sendable (any Error) -> Bool
  private let request: @Sendable (Key) async throws -> Value
  private let time: @Sendable () -> Duration

  init(
    options: CacheOptions, cost: @escaping @Sendable (Value) -> Int,
    isGone: @escaping @Sendable (any Error) -> Bool, load: @escaping @Sendable (Key) async throws -> Value
  ) {
    entries = Mutex(RevalidatedEntries(options: options))
    self.cost = cost
    self.isGone = isGone
    request = load
    time = Self.stopwatch(options.clock)
  }

  /// The stored value, if it can be used, and the current epoch.
  func use(_ key: Key) -> (RevalidatedEntries<Key, Value>.Usable?, epoch: Int) {
    let time = time()
    let (found, epoch) = entries.withLock { ($0.use(key, at: time), $0.epoch) }
    return (found.usable, epoch)
  }

  /// Waits for the shared request of this epoch, or makes it.
  func value(for key: Key, in epoch: Int) async throws -> Value {
    try await flights.value(for: Flight(key: key, epoch: epoch)) { [self] in try await load(key) }
  }

  /// The number of readers that wait for the request of the current epoch.
  func readerCount(for key: Key) -> Int {
    flights.callerCount(for: Flight(key: key, epoch: entries.withLock { $0.epoch }))
  }

  private func load(_ key: Key) async throws -> Value {
    // A request that is cancelled before it begins must not count as newer than a running one.
    try Task.checkCancellation()
    let time = time()
    let load = entries.withLock { $0.begin(key, at: time) }
    do {
      let value = try await request(key)
      end(load, with: .value(value, cost: cost(value)))
      return value
    } catch {
      end(load, with: isGone(error) ? .gone : .failed)
      throw error
    }
  }

  func removeValue(for key: Key) {
    withExtendedLifetime(entries.withLock { $0.remove(key) }) {}
  }

  func removeAll() {
    withExtendedLifetime(entries.withLock { $0.removeAll() }) {}
  }

  private func end(
    _ load: RevalidatedEntries<Key, Value>.Load, with ending: RevalidatedEntries<Key, Value>.Ending
  ) {
    if case .value(_, let cost) = ending {
      precondition(
        cost >= 0, "RevalidatingCache: the cost of \(load.key) must not be negative, but is \(cost)")
    }
    withExtendedLifetime(entries.withLock { $0.end(load, with: ending) }) {}
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
