import Synchronization

/// A state under a lock that tasks can wait for: the async form of a condition variable.
///
/// - Promises: a condition is checked and its waiter parked in one step, so no change is missed. Waiters are resumed
///   after the lock is released, in the order in which they came. Nothing polls.
/// - Cost: each update checks the condition of every parked waiter. Conditions run under the lock, so they are this
///   module's own and look at the state only.
package final class Monitor<State: Sendable>: Sendable {
  private struct Waiter {
    let id: UInt64
    let condition: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Contents {
    var state: State
    var waiters: [Waiter] = []
    var lastID: UInt64 = 0
  }

  private let contents: Mutex<Contents>

  package init(_ state: State) {
    contents = Mutex(Contents(state: state))
  }

  package var snapshot: State { contents.withLock { $0.state } }

  /// Changes the state, then resumes those whose condition has come true.
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

  /// Waits until the condition holds, whether or not the task is cancelled.
  package func wait(until condition: @escaping @Sendable (State) -> Bool) async {
    _ = await withCheckedContinuation { park($0, as: newID(), until: condition) }
  }

  /// Waits until the condition holds, and says whether it does: `false` means that the task was cancelled first.
  package func waitUnlessCancelled(until condition: @escaping @Sendable (State) -> Bool) async -> Bool {
    let id = newID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { park($0, as: id, unlessCancelled: true, until: condition) }
    } onCancel: {
      leave(id)?.resume(returning: false)
    }
  }

  private func newID() -> UInt64 {
    contents.withLock {
      $0.lastID += 1
      return $0.lastID
    }
  }

  private func park(
    _ continuation: CheckedContinuation<Bool, Never>, as id: UInt64, unlessCancelled: Bool = false,
    until condition: @escaping @Sendable (State) -> Bool
  ) {
    let answer: Bool? = contents.withLock { contents in
      if condition(contents.state) { return true }
      // A task is marked before its handlers run: a handler that came too early to find the waiter is seen here.
      if unlessCancelled, Task.isCancelled { return false }
      contents.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
      return nil
    }
    if let answer { continuation.resume(returning: answer) }
  }

  private func leave(_ id: UInt64) -> CheckedContinuation<Bool, Never>? {
    contents.withLock { contents in
      guard let index = contents.waiters.firstIndex(where: { $0.id == id }) else { return nil }
      return contents.waiters.remove(at: index).continuation
    }
  }
}
