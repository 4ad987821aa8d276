import Synchronization

/// The interface of a world for the module `SimulatedQueues`, which turns blocks of dispatch queues
/// into jobs.
package struct SimulatedWorldQueues {
  private let core: SimulatedWorldCore

  /// The interface of the world that this thread runs. Nil if there is none, or if its queues are
  /// real.
  package static var current: SimulatedWorldQueues? {
    guard let core = JobCapture.current, core.queueScheduling.isSimulated else { return nil }
    return SimulatedWorldQueues(core)
  }

  private init(_ core: SimulatedWorldCore) { self.core = core }

  /// The time since 1970 that the system's wall clocks show.
  package var wallTime: Duration { .nanoseconds(ClockCapture.wallStart) + core.elapsed + core.wallOffset }

  /// The time since the start of the system that the system's other clocks show.
  package var uptime: Duration { .nanoseconds(ClockCapture.uptimeStart) + core.elapsed }

  /// Adds a ready block. Call it at the moment at which the code submits the block.
  package func enqueue(_ block: @escaping () -> Void, on queue: SimulatedQueue, isBarrier: Bool = false) {
    core.ready.append(core.job(block, on: queue, isBarrier: isBarrier))
  }

  /// Adds a block that becomes ready once the virtual time has advanced by `delay`.
  package func enqueue(
    _ block: @escaping () -> Void, on queue: SimulatedQueue, isBarrier: Bool, after delay: Duration
  ) {
    core.insert(
      SimulatedWorldCore.Timer(
        due: core.due(after: delay), job: core.job(block, on: queue, isBarrier: isBarrier)))
  }

  /// Runs `body` on a queue, after the blocks that were submitted earlier. Other jobs may run
  /// before.
  ///
  /// - Returns: False if the queue is already running this code. Then the run has failed, and
  ///   `body` has not run.
  package func sync(
    on queue: SimulatedQueue, isBarrier: Bool, call: String, _ body: () -> Void
  ) -> Bool {
    core.sync(on: queue, isBarrier: isBarrier, call: call, body)
  }

  /// Lets the seed choose whether other jobs run before the running code continues.
  ///
  /// - Parameter place: The place in the code, for the timeline.
  package func interrupt(_ place: @autoclosure () -> String) {
    if core.canBeInterrupted { InterruptionCapture.at(place()) }
  }

  /// Waits until `isMet` returns true, or for the duration in virtual time. Other jobs run
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - call: The call that waits, for the report of a deadlock.
  ///   - timeout: The longest wait, or nil to wait without limit.
  ///   - isMet: Called after each step of the world. Must not change anything.
  package func wait(in call: String, timeout: Duration?, until isMet: @escaping () -> Bool) {
    let call = core.outerCall ?? call
    core.outerCall = nil
    core.wait(in: call, until: timeout.map { core.due(after: $0) }, isMet)
  }

  /// The call that the next wait reports, because the running code calls it instead of the function
  /// that waits.
  package func announceWait(in call: String) { core.outerCall = call }

  /// Enqueues a block once `isDue` returns true.
  package func notify(
    _ block: @escaping () -> Void, on queue: SimulatedQueue, isBarrier: Bool,
    when isDue: @escaping () -> Bool, release: @escaping () -> Void
  ) {
    core.queues.notifications.append(
      GroupNotification(
        isDue: isDue,
        run: { [core] in core.ready.append(core.job(block, on: queue, isBarrier: isBarrier)) },
        release: release))
    core.notify()
  }

  /// Enqueues the blocks of the groups that are empty now.
  package func notify() { core.notify() }

  /// Makes a call that starts work on real queues. If such work resumes a task of a world later,
  /// the report names this call.
  package static func calling(_ call: StaticString, _ body: () -> Void) {
    OutsideCalls.note(call)
    InterruptionCapture.paused(body)
  }

  /// Fails the run, because the running code makes a call that no world simulates.
  package func markLeft(by call: String) {
    core.leave(.leftTheWorld(core.name(of: core.running), call: call))
  }

  /// Tells the timeline which function the current step calls, by its address. Does nothing in a
  /// run that is not reported.
  package func noteCall(ofFunctionAt address: @autoclosure () -> UInt) {
    guard core.timeline != nil else { return }
    InterruptionCapture.paused { core.noteCode(ResumedFunction.code(at: address())) }
  }

  /// Identifies the world.
  package var id: ObjectIdentifier { ObjectIdentifier(core) }

  /// Fails the run, because a thread outside the world resumes the task that is running now. Any
  /// thread may call it.
  package var departureOfRunningTask: @Sendable () -> Void {
    let name = core.name(of: core.running)
    return { [core] in core.leave(.leftTheWorld(name, call: core.suspect.withLock { $0 })) }
  }

  /// Fails the run, because the running code makes a call that ends a real process.
  package func markTrapped(in call: String) { core.fail(.trapped(core.name(of: core.running), call: call)) }

  /// Whether the running code runs on a queue.
  package func isRunning(on queue: SimulatedQueue) -> Bool {
    core.heldLanes.contains { $0.lane == queue.lane }
  }

  /// The queue at an address, if the world has used it.
  package func queue(at address: UInt) -> SimulatedQueue? { core.queues.queues[address] }

  /// Makes a queue known to the world, which releases it at the end of the run.
  package func add(
    _ kind: SimulatedQueue.Kind, at address: UInt, label: String, target: SimulatedQueue?,
    isSuspended: @escaping () -> Bool, release: @escaping () -> Void
  ) -> SimulatedQueue {
    let lane =
      switch kind {
      case .main: core.mainExecutor.lane
      case .global: 0
      case .serial, .concurrent: core.makeLane()
      }
    let queue = SimulatedQueue(
      kind: kind, address: address, label: label, lane: lane, task: core.number(ofQueue: label),
      target: target, isSuspended: isSuspended, release: release)
    core.queues.queues[address] = queue
    return queue
  }

  /// Tells the world that a queue may be suspended.
  package func markSuspended() { core.queues.canBeSuspended = true }

  /// Makes a timer source known to the world.
  package func addTimer(
    at address: UInt, on queue: SimulatedQueue, isSuspended: @escaping () -> Bool,
    isCancelled: @escaping () -> Bool
  ) {
    core.queues.timers[address] = SimulatedTimerSource(
      core: core, queue: queue, isSuspended: isSuspended, isCancelled: isCancelled)
  }

  /// The timer source at an address.
  package func timer(at address: UInt) -> SimulatedTimerSource? {
    core.queues.timers.isEmpty ? nil : core.queues.timers[address]
  }

  /// Forgets a timer source that the app has released.
  package func removeTimer(at address: UInt) { core.queues.timers[address] = nil }
}

extension SimulatedWorldCore {
  func job(_ block: @escaping () -> Void, on queue: SimulatedQueue, isBarrier: Bool) -> ReadyJob {
    guard queue.target == nil else { return targetedJob(block, on: queue, isBarrier: isBarrier) }
    return ReadyJob(
      work: .block(SubmittedBlock(block)), task: queue.task, lane: queue.lane, resumesContinuation: false,
      isShared: queue.shares(isBarrier: isBarrier))
  }

  /// A job that also occupies the lanes of the targets of its queue.
  private func targetedJob(
    _ block: @escaping () -> Void, on queue: SimulatedQueue, isBarrier: Bool
  ) -> ReadyJob {
    let work = { [self] in
      for target in sequence(first: queue, next: \.target).dropFirst() { hold(target.lane, isShared: false) }
      block()
    }
    return ReadyJob(
      work: .block(SubmittedBlock(work)), task: queue.task, lane: queue.lane, resumesContinuation: false,
      isShared: queue.shares(isBarrier: isBarrier))
  }
}
