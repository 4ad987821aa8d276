// Waits in synchronous code. A job that waits keeps its thread and its lanes, and another thread
// continues the world.

extension SimulatedWorldCore {
  /// Waits until `isMet` returns true, or until the deadline. Meanwhile, other jobs of the world
  /// run. They can also run first if the call would not wait.
  func wait(
    in call: String, until deadline: VirtualClock.Instant? = nil, _ isMet: @escaping () -> Bool
  ) {
    if isMet() {
      interrupt(beforeCall: call)
      if isMet() { return }
    }
    block(SynchronousWait.Reason(call: call), until: deadline, isMet)
  }

  /// Runs `body` on a queue, after the blocks that were submitted earlier. Other jobs can run
  /// first. Returns false, and runs nothing, if the queue is already running this code.
  func sync(on queue: SimulatedQueue, isBarrier: Bool, call: String, _ body: () -> Void) -> Bool {
    guard queue.kind != .global else {
      body()
      return true
    }
    let isShared = queue.shares(isBarrier: isBarrier)
    if heldLanes.contains(where: { $0.lane == queue.lane && !($0.isShared && isShared) }) {
      fail(.trapped(name(of: running), call: "\(call) on the queue that is already running this code"))
      return false
    }
    interrupt(beforeCall: call)
    if !isFree(queue, isShared: isShared) {
      block(SynchronousWait.Reason(call: call), until: nil, { false }) { [self] wait in
        ready.append(
          ReadyJob(
            work: .resumption(wait), task: wait.task, lane: queue.lane, resumesContinuation: false,
            isShared: isShared))
      }
    }
    let lanes = heldLanes
    hold(queue.lane, isShared: isShared)
    for target in sequence(first: queue, next: \.target).dropFirst() { hold(target.lane, isShared: false) }
    body()
    heldLanes = lanes
    return true
  }

  /// Gives the world to another thread until this job continues.
  func block(
    _ reason: SynchronousWait.Reason, until deadline: VirtualClock.Instant?,
    _ isMet: @escaping () -> Bool, whenBlocked: (SynchronousWait) -> Void = { _ in }
  ) {
    guard let thread, let threads else { preconditionFailure("this world cannot wait in \(reason.call)") }
    holdCurrentActor()
    let wait = SynchronousWait(
      reason: reason, task: running, lanes: heldLanes, blocksPool: isOnPool && !reason.isInterruption,
      thread: thread, deadline: deadline, code: timeline?.lastStep?.code, isMet: isMet)
    let wasOnPool = isOnPool
    let text = reason.isInterruption ? "is interrupted \(reason.call)" : "waits in \(reason.call)"
    timeline?.note(.said(text, by: running, isTurn: false), step: steps, at: now)
    waits.append(wait)
    heldLanes = []
    whenBlocked(wait)
    InterruptionCapture.paused {
      threads.continueElsewhere(self)
      park(thread)
    }
    heldLanes = wait.lanes
    isOnPool = wasOnPool
  }

  /// Corrects the lanes of plain actors that the running job holds. Within a job, the runtime can
  /// take the thread off an actor.
  func holdCurrentActor() {
    guard hooks.contains(.actorHops), !plainActors.isEmpty else { return }
    let actors = Set(plainActors.values.map(\.lane))
    heldLanes.removeAll { actors.contains($0.lane) }
    if let actor = plainActors[PlainActorCapture.currentActor] { hold(actor.lane, isShared: false) }
  }

  func resumption(of wait: SynchronousWait) -> ReadyJob {
    ReadyJob(work: .resumption(wait), task: wait.task, lane: 0, resumesContinuation: false)
  }

  /// Gives the world to the thread of a wait. Returns when another job waits, or when the run has
  /// ended.
  func resume(_ wait: SynchronousWait) {
    waits.removeAll { $0 === wait }
    guard let thread, let threads else { return }
    threads.idle.append(thread)
    wait.thread.wake()
    park(thread)
  }

  private func park(_ thread: WorldThread) {
    JobCapture.capturing(for: nil) { thread.park() }
    // After the end of the run, several threads get here at the same time.
    if !isOver { self.thread = thread }
  }
}

// The lanes that waiting jobs occupy.

extension SimulatedWorldCore {
  func hold(_ lane: Int, isShared: Bool) {
    if lane > 0 { heldLanes.append(LaneHold(lane: lane, isShared: isShared)) }
  }

  /// Excludes from the current pick the lanes that waiting jobs occupy and those of suspended
  /// queues.
  func closeLanes(includingHeld: Bool = false) {
    if includingHeld { close(heldLanes) }
    guard includingHeld || !waits.isEmpty || queues.canBeSuspended else { return }
    for wait in waits { close(wait.lanes) }
    for queue in queues.queues.values where queue.lane > 0 {
      let isClosed = sequence(first: queue, next: \.target).contains {
        laneStamps[$0.lane] == pickCount || $0.isSuspended()
      }
      if isClosed { laneStamps[queue.lane] = pickCount }
    }
  }

  /// Whether a waiting job occupies a lane.
  func isOccupied(_ lane: Int) -> Bool { waits.contains { $0.lanes.contains { $0.lane == lane } } }

  private func close(_ lanes: [LaneHold]) {
    for hold in lanes {
      if hold.isShared { laneShares[hold.lane] = pickCount } else { laneStamps[hold.lane] = pickCount }
    }
  }

  private func isFree(_ queue: SimulatedQueue, isShared: Bool) -> Bool {
    pickCount += 1
    closeLanes()
    guard laneStamps[queue.lane] != pickCount else { return false }
    let isAlone = isShared || laneShares[queue.lane] != pickCount
    return isAlone && !ready.contains { $0.lane == queue.lane && !($0.isShared && isShared) }
  }
}

// The threads of the concurrency pool.

extension SimulatedWorldCore {
  /// The number of threads that run tasks: a device or a machine with two cores has no more.
  static let poolWidth = 2

  /// Whether waiting jobs block all threads of the pool.
  var poolIsBlocked: Bool {
    waits.count >= Self.poolWidth && waits.count(where: \.blocksPool) >= Self.poolWidth
  }

  /// Whether a job needs a thread of the pool. The threads of the main actor, of isolations and of
  /// dispatch queues are not in the pool.
  func needsPool(_ job: ReadyJob) -> Bool {
    switch job.work {
    case .job: executors[job.lane] == nil
    case .actorJob, .drain: true
    case .block, .resumption: false
    }
  }
}

// The end of a run.

extension SimulatedWorldCore {
  /// Fails the run, whose running job blocks its thread. Called by the thread that starts the
  /// simulation.
  func abandon() {
    isAbandoned = true
    if hasCrashed {
      markTrapped()
    } else {
      reason = reason ?? .blocked(name(of: running), seconds: limits.blocking)
    }
    // If the job continues later, the run ends with its next step. Until then, its thread uses the
    // world.
    leave(.blocked(name(of: running), seconds: limits.blocking))
    AbandonedWork.keep(self)
  }

  /// The time to which to advance if no job is ready, or nil if nothing waits for the time.
  ///
  /// A repeating timer does not count if only `settle` waits, or if all tasks have ended.
  var nextDeadline: VirtualClock.Instant? {
    var next = clock.nextDeadline
    for wait in waits { next = earlier(next, wait.deadline) }
    let isOnlyRepeating = next == nil && timers.allSatisfy(\.repeats)
    next = earlier(next, timers.first?.due)
    guard isOnlyRepeating, next != nil else { return next }
    return settlers.isEmpty && !namesOfUnfinished.isEmpty ? next : nil
  }

  private func earlier(
    _ left: VirtualClock.Instant?, _ right: VirtualClock.Instant?
  ) -> VirtualClock.Instant? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }

  /// The tasks that have not ended and the queues whose blocks still wait.
  var namesOfUnfinished: [String] {
    let needsPool = poolIsBlocked && ready.contains(where: needsPool)
    var waiting = waits.map { wait in
      let blocks =
        ", which blocks one of \(Self.poolWidth) threads of the concurrency pool, and other tasks need one"
      return (
        name: name(of: wait.task), call: wait.reason.call + (needsPool && wait.blocksPool ? blocks : "")
      )
    }
    let names = (rootHasEnded ? [] : [Names.root]) + spawned.filter { !$0.hasEnded }.map(\.name)
    let tasks = names.map { name in
      guard let index = waiting.firstIndex(where: { $0.name == name }) else { return name }
      return "\(name) (in \(waiting.remove(at: index).call))"
    }
    return tasks + waiting.map { "\($0.name) (in \($0.call))" }
  }
}

// Notifications of dispatch groups.

extension SimulatedWorldCore {
  /// Runs the notifications that are due, in the order of registration.
  func notify() {
    var index = 0
    while index < queues.notifications.count {
      guard queues.notifications[index].isDue() else {
        index += 1
        continue
      }
      let notification = queues.notifications.remove(at: index)
      notification.run()
      notification.release()
    }
  }

  /// Releases the queues and groups that the world retains, except those that libdispatch must not
  /// release: suspended queues, the queues of blocks that wait forever, and the groups of a failed
  /// run, which nothing may leave again.
  func releaseQueues() {
    if waits.isEmpty {
      for queue in queues.queues.values where !queue.isSuspended() { queue.release() }
    }
    if reason == nil { for notification in queues.notifications { notification.release() } }
    queues = QueueRecords()
  }
}
