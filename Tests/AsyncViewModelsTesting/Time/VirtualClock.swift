import AsyncViewModels

/// Time that moves only when a test says so: a `Clock` for async code and a `CallbackScheduler` for queues, in one.
///
/// ```swift
/// let clock = VirtualClock()
/// model.search("swift")
/// await clock.waitForSleepers(1)  // the debounce has begun to wait
/// clock.advance(by: .milliseconds(300))
/// ```
///
/// - Promises: ``advance(by:)`` releases everything due, in the order of deadlines, and where those are equal in the
///   order of registration. Tasks are resumed, and blocks put on their queues, outside the lock. A released task goes
///   on by itself: await what it does before looking at the result.
/// - Isolation: none; every member may be used from anywhere, and time may be moved from any thread.
/// - Cost: registering is O(n) in what waits already, which is small in any test that a person can read.
public final class VirtualClock: Clock, Sendable {
  public typealias Duration = Swift.Duration

  let timeline = Monitor(VirtualTimeline())

  /// A clock at ``Instant/start``, on which nothing waits.
  public init() {}

  public var now: Instant { timeline.snapshot.now }

  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep and blocks are scheduled. A test ends with zero.
  public var sleeperCount: Int { timeline.snapshot.entries.count }

  /// When the next task or block is due, if any is waiting.
  public var nextDeadline: Instant? { timeline.snapshot.entries.first?.deadline }

  /// Sleeps until time has been moved to `deadline`; returns at once where it has.
  ///
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let id = timeline.update { $0.newID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { register($0, as: id, until: deadline) }
    } onCancel: {
      remove(id)?.cancel()
    }
  }

  /// Returns when at least `count` tasks sleep or blocks are scheduled; early only when the waiting task is cancelled.
  ///
  /// It looks at what waits now, not at what has ever waited.
  public func waitForSleepers(_ count: Int) async {
    _ = await timeline.waitUnlessCancelled { $0.entries.count >= count }
  }

  /// Moves time on by `duration` and releases everything that is due by then.
  public func advance(by duration: Duration) {
    precondition(
      duration >= .zero, "VirtualClock.advance: time cannot go back, but was asked to by \(duration)")
    advance(to: now.advanced(by: duration))
  }

  /// Moves time on to `instant`, stopping at each deadline on the way, and releases what is due there.
  ///
  /// What is registered while time moves, and falls due on the way, is released too.
  public func advance(to instant: Instant) {
    let before = now
    precondition(instant >= before, "VirtualClock.advance: time cannot go back from \(before) to \(instant)")
    while let due = timeline.update({ $0.step(to: instant) }) { due.wakeUp.fire(at: due.deadline, on: self) }
  }

  private func register(
    _ continuation: CheckedContinuation<Void, any Error>, as id: UInt64, until deadline: Instant
  ) {
    let early: Result<Void, any Error>? = timeline.update { timeline in
      // A task is marked before its handlers run: a handler that came too early to find the sleeper is seen here.
      if Task.isCancelled { return .failure(CancellationError()) }
      if deadline <= timeline.now { return .success(()) }
      timeline.insert(VirtualTimeline.Entry(id: id, deadline: deadline, wakeUp: .task(continuation)))
      return nil
    }
    if let early { continuation.resume(with: early) }
  }

  func remove(_ id: UInt64) -> WakeUp? {
    timeline.update { $0.remove(id) }?.wakeUp
  }
}
