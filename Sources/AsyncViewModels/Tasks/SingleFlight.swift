import Synchronization

/// Shares one piece of work among concurrent callers with the same key.
///
/// While the work for a key is running, every further caller with that key waits for that work instead of
/// starting new work. The shared work is a *flight*. Nothing is cached: a flight that has ended leaves neither
/// a value nor an error. The first caller creates a task, and each caller creates one continuation.
///
/// - Isolation: None. The work runs in its own task, with the priority of the first caller.
/// - Errors: Every caller of the flight receives the error that the work throws.
/// - Cancellation: A cancelled caller throws `CancellationError` at once, and the other callers continue to
///   wait. If all callers are cancelled, the work is cancelled. The next caller starts new work, even if the
///   cancelled work is still running.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A running task and the callers that wait for it.
  ///
  /// The task captures the key. So removing the key from the table under the lock does not deallocate the
  /// key, whose `deinit` can run any code.
  private struct Flight: Sendable {
    let number: UInt64
    let task: Task<Void, Never>
    var callers: [Promise<Value>]
  }

  private struct Guarded: Sendable {
    var lastNumber: UInt64 = 0
    var flights: [Key: Flight] = [:]
  }

  private let guarded = Mutex(Guarded())

  /// Creates a table without flights.
  public init() {}

  /// The number of flights in progress. Cancelled work does not count.
  public var count: Int { guarded.withLock { $0.flights.count } }

  /// Returns the number of callers that now share the flight for `key`.
  public func callerCount(for key: Key) -> Int { guarded.withLock { $0.flights[key]?.callers.count ?? 0 } }

  /// Waits for the running work for `key`, or starts `work` if none is running, and returns the value of the
  /// work.
  ///
  /// - Throws: The error of the work, or `CancellationError` if this caller was cancelled.
  public func value(
    for key: Key, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let caller = Promise<Value>()
    join(key, caller, work)
    return try await withTaskCancellationHandler {
      try await caller.value
    } onCancel: {
      leave(key, caller)
    }
  }

  /// Adds a caller to the flight for `key`, and starts the flight for the first caller.
  private func join(
    _ key: Key, _ caller: Promise<Value>, _ work: @escaping @Sendable () async throws -> Value
  ) {
    guarded.withLock { table in
      guard table.flights[key] == nil else {
        table.flights[key]?.callers.append(caller)
        return
      }
      table.lastNumber += 1
      // Created under the lock, so that every flight in the table has its task. The task itself runs without
      // the lock.
      let task = start(key, table.lastNumber, work)
      table.flights[key] = Flight(number: table.lastNumber, task: task, callers: [caller])
    }
  }

  private func start(
    _ key: Key, _ number: UInt64, _ work: @escaping @Sendable () async throws -> Value
  ) -> Task<Void, Never> {
    let liveObject = LiveObjectToken(.task, "SingleFlight<\(Key.self), \(Value.self)>")
    return Task { [self] in
      defer { liveObject.end() }
      let result = await Result(catching: work)
      for caller in finish(key, number) { caller.resolve(result) }
    }
  }

  /// Ends a flight and returns its callers. Returns no callers if all of them have left: the key may then
  /// belong to a newer flight.
  private func finish(_ key: Key, _ number: UInt64) -> [Promise<Value>] {
    guarded.withLock { table in
      guard let flight = table.flights[key], flight.number == number else { return [] }
      table.flights[key] = nil
      return flight.callers
    }
  }

  private func leave(_ key: Key, _ caller: Promise<Value>) {
    let abandoned = guarded.withLock { table -> Task<Void, Never>? in
      guard let index = table.flights[key]?.callers.firstIndex(where: { $0 === caller }) else { return nil }
      table.flights[key]?.callers.remove(at: index)
      guard table.flights[key]?.callers.isEmpty == true else { return nil }
      return table.flights.removeValue(forKey: key)?.task
    }
    abandoned?.cancel()
    caller.resolve(.failure(CancellationError()))
  }
}
