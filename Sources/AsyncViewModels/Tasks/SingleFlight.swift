public import Foundation
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
///   wait. If all callers are cancelled, the work is cancelled. Callers inside the work, and inside the tasks
///   that the work creates, do not count. The next caller starts new work, even if the cancelled work is still
///   running.
/// - Precondition: The `hash(into:)` and `==` of a key do not use the `SingleFlight`. They run under its lock.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Caller: Sendable {
    let promise: Promise<Value>
    /// The flights of this table in whose work the caller runs, the innermost last.
    let enclosing: [UInt64]
    /// The flight that cannot end before this caller: the caller runs in the task of that flight's work.
    let waiting: UInt64?
  }

  /// A running task and the callers that wait for it.
  ///
  /// The task captures the key. So removing the key from the table under the lock does not deallocate the
  /// key, whose `deinit` can run any code.
  private struct Flight: Sendable {
    let number: UInt64
    let task: Task<Void, Never>
    var callers: [Caller]

    /// Whether all callers that are left wait inside the work of this flight.
    var isAbandoned: Bool { callers.allSatisfy { $0.enclosing.contains(number) } }
  }

  private struct Guarded: Sendable {
    var lastNumber: UInt64 = 0
    var flights: [Key: Flight] = [:]

    /// Whether the work of a flight waits for the work of `other`, directly or through other flights.
    func isWaiting(_ number: UInt64, for other: UInt64) -> Bool {
      var found: Set = [other]
      var count = 0
      while count < found.count {
        count = found.count
        for flight in flights.values where found.contains(flight.number) {
          found.formUnion(flight.callers.compactMap(\.waiting))
        }
      }
      return found.contains(number)
    }
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
  /// - Throws: The error of the work, `CancellationError` if this caller was cancelled, or
  ///   ``SingleFlightCycleError`` if this caller is itself part of the work for `key`, directly or through the
  ///   work for other keys: that work would wait for itself. The error is thrown only if each
  ///   of these calls is made in the own task of its work. Otherwise, the callers wait until they are cancelled.
  public func value(
    for key: Key, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let frames = FlightFrame.current.filter { $0.table == ObjectIdentifier(self) }
    let caller = Caller(
      promise: Promise<Value>(), enclosing: frames.map(\.number),
      waiting: frames.last { $0.isCurrentTask }?.number)
    guard join(key, caller, work) else { throw SingleFlightCycleError(key: "\(key)") }
    return try await withTaskCancellationHandler {
      try await caller.promise.value
    } onCancel: {
      leave(key, caller.promise)
    }
  }

  /// Adds a caller to the flight for `key`, and starts the flight for the first caller. Returns `false` if the
  /// flight would wait for itself.
  private func join(
    _ key: Key, _ caller: Caller, _ work: @escaping @Sendable () async throws -> Value
  ) -> Bool {
    let waiting = caller.waiting
    return guarded.withLock { table in
      guard let flight = table.flights[key] else {
        table.lastNumber += 1
        // Created under the lock, so that every flight in the table has its task. The task itself runs without
        // the lock.
        let task = start(key, table.lastNumber, work)
        table.flights[key] = Flight(number: table.lastNumber, task: task, callers: [caller])
        return true
      }
      if let waiting, table.isWaiting(flight.number, for: waiting) { return false }
      table.flights[key]?.callers.append(caller)
      return true
    }
  }

  private func start(
    _ key: Key, _ number: UInt64, _ work: @escaping @Sendable () async throws -> Value
  ) -> Task<Void, Never> {
    let liveObject = LiveObjectToken(.task, "SingleFlight<\(Key.self), \(Value.self)>")
    return Task { [self] in
      defer { liveObject.end() }
      let frame = FlightFrame(table: ObjectIdentifier(self), number: number)
      let result = await FlightFrame.$current.withValue(FlightFrame.current + [frame]) {
        await Result(catching: work)
      }
      for caller in finish(key, number) { caller.promise.resolve(result) }
    }
  }

  /// Ends a flight and returns its callers. Returns none if all callers have left: the key may then belong to a
  /// newer flight.
  private func finish(_ key: Key, _ number: UInt64) -> [Caller] {
    guarded.withLock { table in
      guard let flight = table.flights[key], flight.number == number else { return [] }
      table.flights[key] = nil
      return flight.callers
    }
  }

  private func leave(_ key: Key, _ promise: Promise<Value>) {
    let abandoned = guarded.withLock { table -> Flight? in
      guard let index = table.flights[key]?.callers.firstIndex(where: { $0.promise === promise }) else {
        return nil
      }
      table.flights[key]?.callers.remove(at: index)
      guard table.flights[key]?.isAbandoned == true else { return nil }
      return table.flights.removeValue(forKey: key)
    }
    abandoned?.task.cancel()
    promise.resolve(.failure(CancellationError()))
    for caller in abandoned?.callers ?? [] { caller.promise.resolve(.failure(CancellationError())) }
  }
}

/// A call of ``SingleFlight/value(for:_:)`` in the work for the same key. The work would wait for itself.
public struct SingleFlightCycleError: Error, Equatable {
  /// The description of the key.
  public let key: String

  /// Creates the error of a call for `key`.
  public init(key: String) { self.key = key }
}

extension SingleFlightCycleError: CustomStringConvertible, LocalizedError {
  public var description: String { "The work for \(key) asks for its own result." }

  public var errorDescription: String? { description }
}

/// Identifies a flight in the task-local values of its work.
private struct FlightFrame: Sendable {
  /// The flights in whose work the current task runs, the innermost last. Tasks that the work creates inherit
  /// this value.
  @TaskLocal static var current: [FlightFrame] = []

  let table: ObjectIdentifier
  let number: UInt64
  /// The task of the work. The hash value of a task identifies it while the task is alive.
  private let task = unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }

  init(table: ObjectIdentifier, number: UInt64) {
    self.table = table
    self.number = number
  }

  var isCurrentTask: Bool { unsafe withUnsafeCurrentTask { unsafe $0?.hashValue } == task }
}
