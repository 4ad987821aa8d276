import Synchronization

/// Makes concurrent requests for the same thing share one piece of work.
///
/// - Promises: while work for a key is under way, every further caller with that key awaits it instead of starting its own.
///   Nothing is cached: neither a value nor a failure outlives the flight.
/// - Isolation: none. The work runs in a task of its own, with the priority of the first caller.
/// - Errors: every caller of the flight receives what the work throws.
/// - Cancellation: a cancelled caller leaves at once with `CancellationError`; the others stay. When the last one has left, the
///   work is cancelled, and the next caller starts anew, even where the cancelled work takes no notice.
/// - Cost: the first caller pays for a task, each one for a continuation.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Its task captures the key that the table holds. So a key that is removed under the lock is not released there.
  private struct Flight: Sendable {
    let number: UInt64
    let task: Task<Void, Never>
    var seats: [Promise<Value>]
  }

  private struct Guarded: Sendable {
    var departures: UInt64 = 0
    var flights: [Key: Flight] = [:]
  }

  private let guarded = Mutex(Guarded())

  public init() {}

  /// How many flights are under way.
  public var count: Int { guarded.withLock { $0.flights.count } }

  /// How many callers share the flight for `key` now.
  public func callerCount(for key: Key) -> Int { guarded.withLock { $0.flights[key]?.seats.count ?? 0 } }

  /// What `work` returns, or what the work that is under way for `key` returns.
  ///
  /// - Throws: what the work throws, or `CancellationError` where this caller was cancelled.
  public func value(
    for key: Key, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let seat = Promise<Value>()
    board(key, seat, work)
    return try await withTaskCancellationHandler {
      try await seat.value
    } onCancel: {
      leave(key, seat)
    }
  }

  /// Takes a place in the flight for `key`, which departs with its first one.
  private func board(
    _ key: Key, _ seat: Promise<Value>, _ work: @escaping @Sendable () async throws -> Value
  ) {
    guarded.withLock { table in
      guard table.flights[key] == nil else {
        table.flights[key]?.seats.append(seat)
        return
      }
      table.departures += 1
      // The task is made under the lock, so that nobody finds a flight without one. It runs elsewhere.
      let task = depart(key, table.departures, work)
      table.flights[key] = Flight(number: table.departures, task: task, seats: [seat])
    }
  }

  private func depart(
    _ key: Key, _ number: UInt64, _ work: @escaping @Sendable () async throws -> Value
  ) -> Task<Void, Never> {
    let entry = LiveObjectToken(.task, "SingleFlight<\(Key.self), \(Value.self)>")
    return Task { [self] in
      defer { entry.end() }
      let result = await Result(catching: work)
      for seat in arrive(key, number) { seat.resolve(result) }
    }
  }

  /// Ends a flight. Nobody is left in one that was abandoned, and its key may belong to another by now.
  private func arrive(_ key: Key, _ number: UInt64) -> [Promise<Value>] {
    guarded.withLock { table in
      guard let flight = table.flights[key], flight.number == number else { return [] }
      table.flights[key] = nil
      return flight.seats
    }
  }

  private func leave(_ key: Key, _ seat: Promise<Value>) {
    let abandoned = guarded.withLock { table -> Task<Void, Never>? in
      guard let index = table.flights[key]?.seats.firstIndex(where: { $0 === seat }) else { return nil }
      table.flights[key]?.seats.remove(at: index)
      guard table.flights[key]?.seats.isEmpty == true else { return nil }
      return table.flights.removeValue(forKey: key)?.task
    }
    abandoned?.cancel()
    seat.resolve(.failure(CancellationError()))
  }
}

extension Result where Failure == any Error {
  nonisolated(nonsending) init(catching work: () async throws -> Success) async {
    do { self = .success(try await work()) } catch { self = .failure(error) }
  }
}
