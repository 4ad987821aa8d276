/// Faults that the seed injects, such as latencies, errors and cancellations.
///
/// ```swift
/// try await world.faults.latency()
/// try world.faults.failure(URLError(.timedOut))
/// ```
///
/// The reduction of a failing run removes the faults that the failure does not need.
public struct SimulatedWorldFaults: Sendable {
  let world: SimulatedWorld

  /// Adds one of four delays: none, one `Task.yield()`, half of `longest`, or `longest`.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, except if the delay is a
  ///   `Task.yield()`.
  public func latency(upTo longest: Duration = .seconds(1)) async throws {
    switch world.core.choose(4, quietly: true) {
    case 0: try Task.checkCancellation()
    case 1:
      world.log("yields")
      await Task.yield()
    case 2: try await sleep(for: longest / 2)
    default: try await sleep(for: longest)
    }
  }

  private func sleep(for duration: Duration) async throws {
    world.log("waits for \(duration)")
    try await world.clock.sleep(for: duration)
  }

  /// Waits like ``latency(upTo:)``, but ignores cancellation, like some services.
  public func deafLatency(upTo longest: Duration = .seconds(1)) async {
    let wait = Task.detached { [self] in try? await latency(upTo: longest) }
    await wait.value
  }

  /// Throws `error` in half of the cases.
  public func failure<Failure: Error>(_ error: @autoclosure () -> Failure) throws(Failure) {
    guard world.core.choose(2, quietly: true) == 1 else { return }
    let error = error()
    world.log("fails with \(error)")
    throw error
  }

  /// Starts a task that cancels `task` before its start, at any of its suspensions, or after its
  /// end.
  ///
  /// - Parameters:
  ///   - task: The task to cancel.
  ///   - longest: The maximum virtual time to wait before the cancellation.
  @discardableResult
  public func cancellation(of task: SimulatedTask, upTo longest: Duration = .zero) -> SimulatedTask {
    world.spawn("cancel \(task.name)", canBeLeftOut: true) { [self] in
      if longest > .zero { try await latency(upTo: longest) }
      world.log("cancels \(task.name)")
      task.cancel()
    }
  }

  /// Starts a task that sets the wall clock back or ahead, as a user or a time server does.
  ///
  /// `Date()` jumps. `ContinuousClock`, `SuspendingClock`, `Task.sleep` and the clock of the world
  /// do not, and a wait or a timer that has begun keeps its deadline. On Apple platforms, `Date()`
  /// shows real time and does not jump.
  ///
  /// ```swift
  /// world.faults.wallClockChange(upTo: .seconds(10))
  /// ```
  ///
  /// - Parameters:
  ///   - step: The time by which the clock is set back, which the reduction prefers, or ahead.
  ///   - longest: The maximum virtual time to wait before the change.
  @discardableResult
  public func wallClockChange(
    by step: Duration = .seconds(86_400), upTo longest: Duration = .zero
  ) -> SimulatedTask {
    world.spawn("clock setting", canBeLeftOut: true) { [self] in
      if longest > .zero { try await latency(upTo: longest) }
      let isAhead = world.core.choose(2, quietly: true) == 1
      world.log("sets the wall clock \(isAhead ? "ahead" : "back") by \(step)")
      world.core.wallOffset += isAhead ? step : .zero - step
    }
  }
}
