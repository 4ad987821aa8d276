import Synchronization

/// An async condition variable: a state under a lock, and tasks that wait for its changes.
///
/// - Ordering: The monitor checks a condition and registers its waiter in one step under the lock,
///   so that no change is missed. It resumes waiters in the order of registration, after the
///   unlock. It does not poll.
/// - Complexity: An update is O(number of waiters). It checks each condition under the lock, so a
///   condition must read only the state.
/// - Cancellation: If the test has ``WaitEnding``, the waits end with the test.
package final class Monitor<State: Sendable>: WaitsOfTest {
  private struct Waiter {
    let id: UInt64
    let purpose: Purpose
    let condition: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// The function that waits, and its file.
  private struct Purpose {
    let function: StaticString
    let file: StaticString

    /// Such as `Gate.waitForArrivals(_:)`.
    var description: String {
      let name = "\(file)".split(separator: "/").last?.split(separator: ".").first ?? ""
      return "\(name).\(function)"
    }
  }

  private struct Contents {
    var state: State
    var waiters: [Waiter] = []
    var lastID: UInt64 = 0
    var hasEnded = false
    /// Whether the waits end with a test.
    var isOfTest = false
  }

  private let contents: Mutex<Contents>

  /// Creates a monitor with this state.
  package init(_ state: State) {
    contents = Mutex(Contents(state: state))
    joinTest()
  }

  /// A copy of the current state.
  package var snapshot: State { contents.withLock { $0.state } }

  /// Changes the state, then resumes the waiters whose condition now holds.
  package func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    let (result, ready) = contents.withLock { contents in
      let result = change(&contents.state)
      let state = contents.state
      var ready: [Waiter] = []
      contents.waiters.removeAll { waiter in
        guard waiter.condition(state) else { return false }
        ready.append(waiter)
        return true
      }
      return (result, ready)
    }
    for waiter in ready { waiter.continuation.resume(returning: true) }
    return result
  }

  /// Waits until the condition holds. Ignores cancellation of the calling task.
  package func wait(
    until condition: @escaping @Sendable (State) -> Bool, function: StaticString = #function,
    file: StaticString = #fileID
  ) async {
    let purpose = Purpose(function: function, file: file)
    _ = await withCheckedContinuation { register($0, as: newID(), for: purpose, until: condition) }
  }

  /// Waits until the condition holds or the task is cancelled.
  ///
  /// - Returns: Whether the condition held. `false` if the task was cancelled first.
  package func waitUnlessCancelled(
    until condition: @escaping @Sendable (State) -> Bool, function: StaticString = #function,
    file: StaticString = #fileID
  ) async -> Bool {
    let id = newID()
    let purpose = Purpose(function: function, file: file)
    return await withTaskCancellationHandler {
      await withCheckedContinuation {
        register($0, as: id, for: purpose, unlessCancelled: true, until: condition)
      }
    } onCancel: {
      remove(id)?.resume(returning: false)
    }
  }

  package var waits: [String] {
    let (waiters, state) = contents.withLock { ($0.waiters, $0.state) }
    return waiters.map { "\($0.purpose.description) with \("\(state)".prefix(300))" }
  }

  package func endWaits() {
    let waiters = contents.withLock { contents in
      contents.hasEnded = true
      defer { contents.waiters = [] }
      return contents.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: false) }
  }

  /// Lets the waits end with the running test, if they do not end with another one. A server makes
  /// parts of a test in tasks that are not of the test, so the test that waits also counts.
  private func joinTest() {
    guard TestWaits.current != nil else { return }
    let isNew = contents.withLock { contents in
      defer { contents.isOfTest = true }
      return !contents.isOfTest
    }
    if isNew { TestWaits.add(self) }
  }

  private func newID() -> UInt64 {
    joinTest()
    return contents.withLock {
      $0.lastID += 1
      return $0.lastID
    }
  }

  private func register(
    _ continuation: CheckedContinuation<Bool, Never>, as id: UInt64, for purpose: Purpose,
    unlessCancelled: Bool = false, until condition: @escaping @Sendable (State) -> Bool
  ) {
    let result: Bool? = contents.withLock { contents in
      if condition(contents.state) { return true }
      // A cancellation handler that ran before this registration found no waiter, but `isCancelled`
      // is set.
      if contents.hasEnded || unlessCancelled && Task.isCancelled { return false }
      contents.waiters.append(
        Waiter(id: id, purpose: purpose, condition: condition, continuation: continuation))
      return nil
    }
    if let result { continuation.resume(returning: result) }
  }

  private func remove(_ id: UInt64) -> CheckedContinuation<Bool, Never>? {
    contents.withLock { contents in
      guard let index = contents.waiters.firstIndex(where: { $0.id == id }) else { return nil }
      return contents.waiters.remove(at: index).continuation
    }
  }
}
