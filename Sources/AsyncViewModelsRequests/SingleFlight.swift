public import Foundation
import Synchronization

/// Shares one piece of work among concurrent callers with the same key.
///
/// ```swift
/// private let details = SingleFlight<Product.ID, Detail>()
///
/// func detail(_ id: Product.ID) async throws -> Detail {
///   try await details.value(for: id) { try await service.detail(id) }
/// }
/// ```
///
/// While the work for a key is running, each further caller with that key waits for it. Nothing is
/// cached: work that has ended leaves neither a value nor an error.
///
/// | event | effect |
/// | --- | --- |
/// | the work throws | Every caller receives the error. |
/// | a caller is cancelled | It throws `CancellationError` at once. The other callers continue to wait. |
/// | all callers are cancelled | The work is cancelled before the last of them throws. The next caller starts new work, even if the cancelled work is still running. |
/// | only callers inside the work itself are left | They do not keep the work running, unless another caller waits for it through a different key. |
///
/// - Isolation: None. The work runs in its own task, with the priority of the first caller.
/// - Complexity: One task for the work, and one continuation for each caller.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Caller: Sendable {
    let promise: Promise<Value>
    /// The running work that has created the caller's task, directly or through other tasks. This
    /// is only a hint: the task can be independent of the work and outlive it.
    let origin: SharedWork?
    /// The work that cannot end before this caller: the caller runs in the task of that work.
    let waiting: SharedWork?
  }

  /// The result of a caller whose flight was cancelled although the caller was not. The caller
  /// tries again.
  private struct Abandoned: Error {}

  /// A running task and the callers that wait for it.
  private struct Flight: Sendable {
    let work: SharedWork
    let task: Task<Void, Never>
    var callers: [Caller]
  }

  private let flights = KeyedTable<Key, Flight>()

  /// Creates an object without running work.
  public init() {}

  /// The number of keys whose work is running. Cancelled work does not count.
  public var count: Int { flights.withLock { $0.rows.count } }

  /// Returns the number of callers that now wait for the work for `key`.
  public func callerCount(for key: Key) -> Int {
    flights.withLock(for: .init(key)) { table, number in
      number.flatMap { table.rows[$0]?.entry.callers.count } ?? 0
    }
  }

  /// Waits for the running work for `key`, or starts `work` if none is running, and returns the
  /// value of the work.
  ///
  /// - Throws: The error of the work, `CancellationError` if this caller was cancelled, or
  ///   ``SingleFlightCycleError`` if the work would wait for itself, directly or through the work
  ///   for other keys. Such a cycle is found only if each piece of work makes its call in its own
  ///   task, not in a task that it creates. Otherwise, the callers in the cycle wait until they are
  ///   cancelled.
  public func value(
    for key: Key, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    var value = try await attempt(key, work)
    while value == nil { value = try await attempt(key, work) }
    return value!
  }

  /// Waits for the work for `key`. Returns `nil` if that work was cancelled, although this caller
  /// was not.
  private func attempt(
    _ key: Key, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    try Task.checkCancellation()
    let origin = SharedWork.origin
    let caller = Caller(
      promise: Promise<Value>(), origin: origin, waiting: origin.flatMap { $0.isCurrentTask ? $0 : nil })
    guard let flight = join(key, caller, work) else { throw SingleFlightCycleError(key: "\(key)") }
    do {
      return try await withTaskCancellationHandler {
        try await caller.promise.value
      } onCancel: {
        leave(flight, caller.promise)
      }
    } catch is Abandoned {
      return nil
    }
  }

  /// Adds a caller to the flight for `key`, and starts the flight for the first caller. Returns the
  /// number of the flight, or `nil` if the flight would wait for itself.
  private func join(
    _ key: Key, _ caller: Caller, _ work: @escaping @Sendable () async throws -> Value
  ) -> UInt64? {
    let key = KeyedTable<Key, Flight>.HashedKey(key)
    return flights.withLock(for: key) { table, number in
      guard let number else {
        // The task is created under the lock, so that every flight in the table has its task. The
        // task itself runs without the lock.
        return table.insert(key) { start($0, caller, work) }
      }
      if let waiting = caller.waiting, let work = table.rows[number]?.entry.work,
        Self.isWaiting(work, for: waiting, in: table)
      {
        return nil
      }
      table.rows[number]?.entry.callers.append(caller)
      return number
    }
  }

  /// Whether `work` waits for `other`, directly or through other flights.
  private static func isWaiting(
    _ work: SharedWork, for other: SharedWork, in table: KeyedTable<Key, Flight>.Content
  ) -> Bool {
    var found: Set = [ObjectIdentifier(other)]
    var count = 0
    while count < found.count {
      count = found.count
      for row in table.rows.values where found.contains(ObjectIdentifier(row.entry.work)) {
        found.formUnion(row.entry.callers.compactMap { $0.waiting.map(ObjectIdentifier.init) })
      }
    }
    return found.contains(ObjectIdentifier(work))
  }

  private func start(
    _ number: UInt64, _ caller: Caller, _ body: @escaping @Sendable () async throws -> Value
  ) -> Flight {
    let liveObject = LiveObjectToken(.task, "SingleFlight<\(Key.self), \(Value.self)>")
    let work = SharedWork()
    let task = Task { [self] in
      defer { liveObject.end() }
      let result = await work.run { await Result(catching: body) }
      let ended = flights.withLock { $0.remove(number) }
      for caller in ended?.entry.callers ?? [] { caller.promise.resolve(result) }
    }
    return Flight(work: work, task: task, callers: [caller])
  }

  private func leave(_ number: UInt64, _ promise: Promise<Value>) {
    let abandoned = flights.withLock { table -> KeyedTable<Key, Flight>.Row? in
      guard var callers = table.rows[number]?.entry.callers,
        let index = callers.firstIndex(where: { $0.promise === promise })
      else { return nil }
      callers.remove(at: index)
      table.rows[number]?.entry.callers = callers
      return Self.isNeeded(number, by: callers, in: table) ? nil : table.remove(number)
    }
    // Also cancels the callers that run in child tasks of the work. They leave before this call
    // returns.
    abandoned?.entry.task.cancel()
    promise.resolve(.failure(CancellationError()))
    // Other tasks that the work has created are not cancelled, so these callers try again.
    for caller in abandoned?.entry.callers ?? [] { caller.promise.resolve(.failure(Abandoned())) }
  }

  /// Whether a caller waits for the flight, directly or through other flights, whose task was not
  /// created by work that waits.
  private static func isNeeded(
    _ number: UInt64, by callers: [Caller], in table: KeyedTable<Key, Flight>.Content
  ) -> Bool {
    var visited: Set = [number]
    var unchecked = callers
    while let caller = unchecked.popLast() {
      guard let origin = caller.origin,
        let other = table.rows.first(where: { $0.value.entry.work === origin })
      else { return true }
      if visited.insert(other.key).inserted { unchecked += other.value.entry.callers }
    }
    return false
  }
}

/// A call of ``SingleFlight/value(for:_:)`` inside the work for the same key, directly or through
/// the work for other keys. The work would wait for itself.
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

/// The work of a flight. Compared by identity.
private final class SharedWork: Sendable {
  /// The innermost work that has created the current task. Tasks that the work creates inherit this
  /// value, and can outlive the work.
  @TaskLocal private static var inherited: SharedWork?

  private struct Progress: Sendable {
    /// The task of the work, once it runs. The hash value of a task identifies the task while it is
    /// alive.
    var task: Int?
    var hasEnded = false
  }

  private let progress = Mutex(Progress())

  /// The innermost work that has created the current task and has not ended.
  static var origin: SharedWork? { inherited.flatMap { $0.progress.withLock { $0.hasEnded } ? nil : $0 } }

  var isCurrentTask: Bool {
    let current = Self.currentTask
    return progress.withLock { $0.task == current }
  }

  func run<Output: Sendable>(_ body: () async -> Output) async -> Output {
    let current = Self.currentTask
    progress.withLock { $0.task = current }
    defer { progress.withLock { $0.hasEnded = true } }
    return await Self.$inherited.withValue(self) { await body() }
  }

  private static var currentTask: Int? { unsafe withUnsafeCurrentTask { unsafe $0?.hashValue } }
}
