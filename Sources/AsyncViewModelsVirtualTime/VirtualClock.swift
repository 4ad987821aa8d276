/// A clock that advances only when a test, or a simulated world, advances it.
///
/// ```swift
/// let clock = VirtualClock()
/// model.search("swift")
/// await clock.waitForSleepers(1)  // the debounce is waiting
/// clock.advance(by: .milliseconds(300))
/// ```
///
/// - Ordering: ``advance(by:)`` releases tasks and blocks in the order of their deadlines, and for
///   equal deadlines in the order of registration. It resumes tasks and enqueues blocks outside the
///   lock. A released task continues concurrently: await its effect before you check the result.
/// - Isolation: None. Every member may be used from any thread, and any thread may advance the
///   time.
/// - Complexity: A registration is O(n) in the number of waiting tasks and blocks.
public final class VirtualClock: Clock, Sendable {
  /// The type of the distance between two instants.
  public typealias Duration = Swift.Duration

  let timeline = Monitor(VirtualTimeline())

  /// Creates a clock at ``Instant/start``, without waiting tasks or blocks.
  public init() { TestWaits.add(self) }

  /// The current instant.
  public var now: Instant { timeline.snapshot.now }

  /// Zero: every duration is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of sleeping tasks and scheduled blocks. At the end of a test, it should be 0.
  public var sleeperCount: Int { timeline.snapshot.entries.count }

  /// The instant at which the next task or block is due, or nil if none is waiting.
  package var nextDeadline: Instant? { timeline.snapshot.entries.first?.deadline }

  /// The latest deadline up to an instant, or nil if no task or block is due by then.
  package func lastDeadline(by instant: Instant) -> Instant? {
    timeline.snapshot.entries.last { $0.deadline <= instant }?.deadline
  }

  /// Sleeps until the time has advanced to `deadline`. Returns immediately if `deadline` has
  /// passed.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let id = timeline.update { $0.newID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { register($0, as: id, until: deadline) }
    } onCancel: {
      remove(id)?.cancel()
    }
  }

  /// Waits until at least `count` tasks and blocks are waiting at the same time.
  ///
  /// Tasks and blocks that no longer wait do not count. Returns early only if the calling task is
  /// cancelled.
  public func waitForSleepers(_ count: Int) async {
    _ = await timeline.waitUnlessCancelled { $0.entries.count >= count }
  }

  /// Advances the time by `duration` and releases everything that is due by then.
  ///
  /// If several threads advance the time concurrently, each advance counts from the time at its
  /// call.
  ///
  /// - Precondition: `duration` is not negative.
  public func advance(by duration: Duration) {
    precondition(
      duration >= .zero, "VirtualClock.advance: the duration must not be negative, but is \(duration)")
    releaseAll(until: now.advanced(by: duration))
  }

  /// Advances the time to `instant`, deadline by deadline, and releases everything that is due by
  /// then.
  ///
  /// Tasks and blocks that are registered during the advance are released, too, if they are due by
  /// `instant`.
  ///
  /// - Precondition: `instant` is not earlier than ``now``.
  public func advance(to instant: Instant) {
    let before = now
    precondition(instant >= before, "VirtualClock.advance: time cannot go back from \(before) to \(instant)")
    releaseAll(until: instant)
  }

  private func releaseAll(until instant: Instant) {
    while let due = timeline.update({ $0.step(to: instant) }) { due.wakeUp.fire(at: due.deadline, on: self) }
  }

  private func register(
    _ continuation: CheckedContinuation<Void, any Error>, as id: UInt64, until deadline: Instant
  ) {
    let early: Result<Void, any Error>? = timeline.update { timeline in
      // A cancellation handler that ran before this registration found no waiter, but `isCancelled`
      // is set.
      if Task.isCancelled || timeline.hasEnded { return .failure(CancellationError()) }
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

extension VirtualClock: WaitsOfTest {
  package var waits: [String] {
    timeline.snapshot.entries.map { entry in
      switch entry.wakeUp {
      case .task: "VirtualClock.sleep(until: \(entry.deadline))"
      case .block: "a block of VirtualClock that is due at \(entry.deadline)"
      }
    }
  }

  package func endWaits() {
    for entry in timeline.update({ $0.end() }) {
      switch entry.wakeUp {
      case .task: entry.wakeUp.cancel()
      case .block: entry.wakeUp.fire(at: entry.deadline, on: self)
      }
    }
  }
}
