import AsyncViewModels
import Dispatch
import Foundation
import Synchronization

let deadlines = [StressProgram("a call with a deadline abandons its operation", abandoning)]

private let long = Duration.seconds(3_600)

/// Not about inlining: a process with this program has crashed with signal 11, once in more than 1,500 runs. The cause is not known.
private func abandoning(load: Load) async throws {
  let clock = ContinuousClock()
  try await load.inParallel { task in
    for round in 1...80 {
      let (open, started, freed) = (Tally(), Tally(), Tally())
      let short = Duration.microseconds(round % 2 == 0 ? 200 : 3_600_000_000)
      let owner = Mutex<Task<Int, any Error>?>(nil)
      let caller = Task {
        let deinitAction = try await withAbandoningDeadline(short) {
          started.add()
          await until { open.value > 0 }
          return DeinitAction {
            owner.withLock { $0 }?.cancel()
            freed.add()
          }
        }
        return withExtendedLifetime(deinitAction) { round }
      }
      owner.withLock { $0 = caller }
      let isCancelled = round % 3 == 0 || round % 2 == 1
      if isCancelled { await atOnce({ caller.cancel() }, { caller.cancel() }) }
      // The call returns although the operation is still running.
      try expectResult(await caller.result, -1, deadline: short, isCancelled: isCancelled)
      open.add()
      // A caller that is cancelled first starts nothing, nor does an operation whose deadline comes first.
      await until { freed.value == started.value }
      withExtendedLifetime(owner.withLock { $0.take() }) {}

      let quick = try await withAbandoningDeadline(long, clock: SuspendingClock()) { round }
      let other = try await withAbandoningDeadline(until: clock.now.advanced(by: long), clock: clock) {
        -round
      }
      try expectEqual(quick + other, 0, "results before the deadline")
      let soon = Duration.microseconds(200)
      try await expectExpiry(upTo: soon) {
        try await withAbandoningDeadline(until: clock.now.advanced(by: soon), clock: clock) {
          try await Task.sleep(for: long)
        }
      }
      try await expectErrorRethrown { try await withAbandoningDeadline(long) { throw TestError() } }
      try await expectNotStarted { work in try await withAbandoningDeadline(.zero) { work() } }
      try await expectNotStarted { work in
        try await withAbandoningDeadline(until: clock.now, clock: clock) { work() }
      }
    }
  }
}

private func expectResult(
  _ result: Result<Int, any Error>, _ number: Int, deadline: Duration, isCancelled: Bool
) throws(Unexpected) {
  switch result {
  case .success(let value): try expectEqual(value, number, "the value of the operation")
  case .failure(let error as DeadlineExceeded):
    try expectEqual(error, DeadlineExceeded(duration: deadline), "the error of the deadline")
    try expect(error.description.contains("\(deadline)"), "the error does not name its deadline: \(error)")
  case .failure(let error):
    try expect(isCancelled && error is CancellationError, "a call with a deadline failed with \(error)")
  }
}

/// Checks that the call throws `DeadlineExceeded` with a duration of at most `limit`.
private func expectExpiry(upTo limit: Duration, _ call: () async throws -> Void) async throws {
  do {
    try await call()
    throw Unexpected(description: "the deadline was ignored")
  } catch let error as DeadlineExceeded {
    try expect(error.duration <= limit, "the error says \(error.duration), which is more than \(limit)")
  }
}

private func expectErrorRethrown(_ call: () async throws -> Void) async throws {
  do {
    try await call()
    throw Unexpected(description: "the error of the operation was lost")
  } catch is TestError {}
}

private func expectNotStarted(
  _ call: (@escaping @Sendable () -> Void) async throws -> Void
) async throws {
  let started = Tally()
  try await expectExpiry(upTo: .zero) { try await call { started.add() } }
  try expectEqual(started.value, 0, "operations started after their deadline")
}

/// A counter that any thread can change.
private final class Tally: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  /// - Returns: The new number.
  @discardableResult
  func add(_ change: Int = 1) -> Int { number.add(change, ordering: .sequentiallyConsistent).newValue }
}

/// Starts the calls in random order, in tasks, on a queue and on new threads, and waits for all of them.
private func atOnce(_ calls: (@Sendable () -> Void)...) async {
  await withDiscardingTaskGroup { group in
    for (number, call) in calls.shuffled().enumerated() {
      switch number % 3 {
      case 0: group.addTask { call() }
      case 1: group.addTask { await onQueue(.global(), call) }
      default: group.addTask { await onThread(call) }
      }
    }
  }
}

@discardableResult
private func onQueue<Answer: Sendable>(
  _ queue: DispatchQueue, _ body: @escaping @Sendable () -> Answer
) async -> Answer {
  await withCheckedContinuation { continuation in
    queue.async { continuation.resume(returning: body()) }
  }
}

private func onThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      body()
      continuation.resume()
    }
  }
}
