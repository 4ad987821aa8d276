import AsyncViewModels
import Synchronization

/// Limits how many requests run at a time to one origin. Others wait in the order of arrival.
///
/// - Isolation: None. The limiter resumes a waiting request after it has released its lock.
/// - Cancellation: A cancelled request stops waiting at once. The order of the others stays.
/// - Complexity: O(1) to enter, and O(waiting requests) to leave or to stop waiting.
final class OriginLimiter: Sendable {
  private typealias Admission = @Sendable (Result<CancellationToken, any Error>) -> Void

  private struct State: Sendable {
    var lines: [HTTPOrigin: WaitingLine<Admission>] = [:]
    /// Unique for all lines, so that a late cancellation cannot remove another request.
    var lastTicket: UInt64 = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  var originCount: Int { state.withLock { $0.lines.count } }

  func waitingCount(for origin: HTTPOrigin) -> Int { state.withLock { $0.lines[origin]?.waitingCount ?? 0 } }

  /// Waits for a place at `origin`, and runs `body` while it holds the place.
  ///
  /// - Parameter keep: Returns whether it keeps the place, until it cancels or releases the token.
  /// - Throws: `CancellationError` if the task is cancelled while it waits, or the error of `body`.
  func withPlace<Value: Sendable>(
    at origin: HTTPOrigin, keptBy keep: (Value, CancellationToken) -> Bool = { _, _ in false },
    _ body: () async throws -> Value
  ) async throws -> Value {
    // The release of the token gives the place back if the task is cancelled before it receives it.
    let place = try await withCompletionHandler { enter(origin, $0) }
    var isKept = false
    defer { if !isKept { place.cancel() } }
    let value = try await body()
    isKept = keep(value, place)
    return value
  }

  private func enter(_ origin: HTTPOrigin, _ admission: @escaping Admission) -> CancellationToken {
    let ticket: UInt64? = state.withLock { state in
      state.lastTicket += 1
      let hasPlace = state.lines[origin, default: WaitingLine(limit: limit)].enter(
        state.lastTicket, admission)
      return hasPlace ? nil : state.lastTicket
    }
    guard let ticket else {
      admission(.success(place(at: origin)))
      return .finished
    }
    return CancellationToken { [self] in stopWaiting(ticket, at: origin) }
  }

  private func place(at origin: HTTPOrigin) -> CancellationToken {
    CancellationToken { [self] in leave(origin) }
  }

  private func leave(_ origin: HTTPOrigin) {
    let next = state.withLock { state in
      let next = state.lines[origin]?.leave()
      if state.lines[origin]?.isEmpty == true { state.lines[origin] = nil }
      return next
    }
    next?(.success(place(at: origin)))
  }

  private func stopWaiting(_ ticket: UInt64, at origin: HTTPOrigin) {
    // Outside the lock: the release of the closure releases the caller's continuation.
    withExtendedLifetime(state.withLock { $0.lines[origin]?.stopWaiting(ticket) }) {}
  }
}

/// The rule of ``OriginLimiter`` for one origin: the taken places, and the order of the others.
struct WaitingLine<Waiter> {
  private let limit: Int
  private var taken = 0
  private var waiting: [(ticket: UInt64, waiter: Waiter)] = []

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { taken == 0 && waiting.isEmpty }

  var waitingCount: Int { waiting.count }

  /// Takes a place if one is free, and otherwise adds the waiter. Returns whether it took a place.
  mutating func enter(_ ticket: UInt64, _ waiter: Waiter) -> Bool {
    guard taken < limit else {
      waiting.append((ticket, waiter))
      return false
    }
    taken += 1
    return true
  }

  /// Gives a place back. Returns the waiter that gets it.
  mutating func leave() -> Waiter? {
    guard waiting.isEmpty else { return waiting.removeFirst().waiter }
    taken -= 1
    return nil
  }

  /// Removes a waiter, unless it already has a place.
  mutating func stopWaiting(_ ticket: UInt64) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return waiting.remove(at: index).waiter
  }
}

extension WaitingLine: Sendable where Waiter: Sendable {}
