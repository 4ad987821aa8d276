import Foundation
import Synchronization

extension SimulatedWorldCore {
  /// Runs the world until no job is left, a task has left the world, or the limit of steps is
  /// reached.
  func run(on threads: SimulationThreads?, _ root: @escaping @Sendable () async throws -> Void) {
    // `BlockWatch` reads this property of registered worlds on another thread.
    self.threads = threads?.current
    JobCapture.registering(self) {
      guard let threads else {
        return JobCapture.capturing(for: self) {
          start(root)
          loop()
          checkEnd()
        }
      }
      threads.run(self, root)
    }
  }

  func start(_ root: @escaping @Sendable () async throws -> Void) {
    tasks.withLock { $0.nextName = Names.root }
    // The root inherits the task-local values of the test. So the testing library knows to which
    // test an expectation belongs.
    _ = Task(executorPreference: taskExecutor) { [self] in
      do { try await root() } catch { fail(.thrown("\(error)", by: Names.root)) }
      // On a plain actor, a thread outside the world can continue this task, and must not write
      // what the world reads.
      guard isCurrent else { return leave(.leftTheWorld(Names.root, call: suspect.withLock { $0 })) }
      rootHasEnded = true
      publish()
    }
  }

  /// Releases everything that a finished run still holds.
  func end() {
    guard !isAbandoned else { return }
    releaseExecutors()
    if reason != nil, threads != nil { AbandonedWork.keep(self) }
    releaseQueues()
    ready = []
    timers = []
  }

  func loop() {
    while !isOver {
      if let departure = departure.withLock({ $0 }) { return fail(departure) }
      // An interruption has chosen among the jobs that are ready.
      if next == nil { movePendingTime() }
      guard !ready.isEmpty || !waits.isEmpty else {
        guard continueWithoutReadyJob() else { return }
        continue
      }
      guard steps < limits.steps else { return fail(.livelock(steps: steps, running: name(of: running))) }
      guard step() || continueWithoutReadyJob() else { return }
    }
  }

  /// Runs a job, or returns false if no job can run.
  private func step() -> Bool {
    guard let index = next.take() ?? pick() else { return false }
    stays = 0
    let job = index < ready.count ? ready.remove(at: index) : resumption(of: waits[index - ready.count])
    steps += 1
    running = job.task
    hasTurnedQuietly = false
    hash.mix(UInt64(truncatingIfNeeded: job.task))
    timeline?.note(
      .ran(job.task, others: optionTasks.filter { $0 != job.task }, preferred: preferredTask), step: steps,
      at: now)
    noteCode(of: job)
    progress.store(steps, ordering: .releasing)
    if case .resumption(let wait) = job.work {
      resume(wait)
      return true
    }
    run(job)
    // A job that only resumes a continuation is not a separate step, so the resumed task runs
    // immediately.
    if job.resumesContinuation, let last = ready.last, last.task == job.task, last.lane == 0 {
      ready.removeLast()
      noteCode(of: last)
      run(last)
    }
    return true
  }

  /// Tells the timeline which code the job runs, if it is known before the job runs.
  private func noteCode(of job: ReadyJob) {
    guard timeline != nil else { return }
    switch job.work {
    case .job(let work), .actorJob(let work, _):
      noteCode(ResumedFunction.code(of: work, isOnActor: job.lane > 0))
    case .resumption(let wait):
      noteCode(wait.reason.isInterruption ? wait.code : StepCode(call: wait.reason.call, in: wait.code))
    case .drain, .block: break
    }
  }

  /// Tells the timeline which code the current step runs, unless it knows.
  func noteCode(_ code: StepCode?) {
    timeline?.noteCode(code)
    publish()
  }

  /// Lets the thread that reports a blocked step read what the step has recorded until now.
  func publish() { InterruptionCapture.paused { progress.store(steps, ordering: .releasing) } }

  private func run(_ job: ReadyJob) {
    hold(job.lane, isShared: job.isShared)
    isOnPool = needsPool(job)
    defer { heldLanes.removeAll(keepingCapacity: true) }
    switch job.work {
    case .block(let block): InterruptionCapture.resumed { block.run() }
    case .resumption: preconditionFailure("a wait is not run by the thread that has chosen it")
    case .actorJob(let work, let actor):
      passing = (actor, nil)
      PlainActorCapture.enqueue(work, onActorAt: actor)
      if let drain = passing.take()?.drain {
        runDrain(drain)
      } else if let index = ready.firstIndex(where: { $0.actor == actor }) {
        // The runtime has enqueued other jobs on the actor, which run first.
        ranUnchosen = true
        publish()
        runDrain(ready.remove(at: index))
      } else {
        // A thread outside the world holds the actor, and takes the job.
        markLeft(by: JobIdentity(work).task)
      }
    case .drain:
      ranUnchosen = true
      publish()
      runDrain(job)
    case .job(let work): run(work, on: job.lane, prefersTaskExecutor: job.prefersTaskExecutor)
    }
  }

  private func run(_ work: UnownedJob, on lane: Int, prefersTaskExecutor: Bool) {
    let serial = unsafe executors[lane].map { unsafe $0.asUnownedSerialExecutor() }
    guard prefersTaskExecutor, let taskExecutor else {
      let withoutActor = unsafe hooks.contains(.actorHops) ? Self.generic : turns.asUnownedSerialExecutor()
      return InterruptionCapture.resumed { unsafe work.runSynchronously(on: serial ?? withoutActor) }
    }
    let preferred = unsafe taskExecutor.asUnownedTaskExecutor()
    InterruptionCapture.resumed {
      guard let serial = unsafe serial else { return unsafe work.runSynchronously(on: preferred) }
      unsafe work.runSynchronously(isolatedTo: serial, taskExecutor: preferred)
    }
  }

  private func runDrain(_ job: ReadyJob) {
    guard case .drain(let work) = job.work else { return }
    let preferred = unsafe job.prefersTaskExecutor ? taskExecutor?.asUnownedTaskExecutor() : nil
    InterruptionCapture.resumed {
      if let preferred = unsafe preferred {
        unsafe work.runSynchronously(on: preferred)
      } else {
        unsafe work.runSynchronously(on: Self.generic)
      }
    }
  }

  /// The runtime's representation of "no actor": two zero words.
  private static var generic: UnownedSerialExecutor {
    unsafe unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
  }

  /// Chooses the index of the next job in `ready`, followed by `waits`.
  ///
  /// - Parameters:
  ///   - staysAllowed: Whether the running job may also continue, which is `staying`.
  ///   - staysPreferred: Whether the running job continues in the default order. Otherwise, it
  ///     continues only if no other job can run.
  func pick(staysAllowed: Bool = false, staysPreferred: Bool = true) -> Int? {
    options.removeAll(keepingCapacity: true)
    optionTasks.removeAll(keepingCapacity: true)
    pickCount += 1
    closeLanes(includingHeld: staysAllowed)
    let poolIsBlocked = poolIsBlocked
    var canContinue = staysAllowed && staysPreferred
    if canContinue {
      options.append(Self.staying)
      optionTasks.append(running)
    }
    // A local variable, because each access to a member of a class is checked at run time.
    let ready = ready
    for index in ready.indices {
      let job = ready[index]
      if poolIsBlocked, needsPool(job) { continue }
      if job.isUnordered {
        if isOccupied(job.lane) || staysAllowed && heldLanes.contains(where: { $0.lane == job.lane }) {
          continue
        }
      } else if job.lane > 0 {
        guard laneStamps[job.lane] != pickCount else { continue }
        if job.isShared {
          laneShares[job.lane] = pickCount
        } else {
          laneStamps[job.lane] = pickCount
          guard laneShares[job.lane] != pickCount else { continue }
        }
      }
      if job.task == running, !canContinue {
        canContinue = true
        options.insert(index, at: 0)
        optionTasks.insert(job.task, at: 0)
      } else {
        options.append(index)
        optionTasks.append(job.task)
      }
    }
    for index in waits.indices where waits[index].canEnd(at: now) {
      options.append(ready.count + index)
      optionTasks.append(waits[index].task)
    }
    preferredTask = nil
    if options.isEmpty, staysAllowed { return Self.staying }
    guard options.count > 1 else { return options.first }
    let chosen = chooser.choose(among: optionTasks, canContinue: canContinue)
    record(Choice(count: options.count, chosen: chosen, costsPreemption: canContinue))
    if chosen > 0 { preferredTask = optionTasks[0] }
    return options[chosen]
  }

  func record(_ choice: Choice) {
    choices.append(choice)
    hash.mix(UInt64(truncatingIfNeeded: choice.count) << 32 | UInt64(truncatingIfNeeded: choice.chosen))
  }

  /// Resumes a task that waits in `settle`, or advances the time. Returns false if nothing is left
  /// to do.
  private func continueWithoutReadyJob() -> Bool {
    if let index = settlers.firstIndex(where: { !$0.movesTime }) {
      settlers.remove(at: index).continuation.resume()
      return true
    }
    if let next = nextDeadline {
      moveTime(toDeadline: next)
      return true
    }
    if !settlers.isEmpty {
      settlers.removeFirst().continuation.resume()
      return true
    }
    return false
  }

  func checkEnd() {
    guard reason == nil else { return }
    if let departure = departure.withLock({ $0 }) { return fail(departure) }
    if rootHasEnded, namesOfUnfinished.isEmpty { return }
    // Waits before it reports a deadlock: another thread may be about to resume a task that left
    // the world.
    var event = outsideEvent
    for _ in 0..<patience where event == nil {
      JobCapture.capturing(for: nil) { _ = usleep(1_000) }
      // A thread that watches the run must not take this wait for a blocked step: it would use the
      // world, too.
      progress.add(1, ordering: .releasing)
      event = outsideEvent
    }
    if let event { return fail(event) }
    fail(rootHasEnded ? .unfinished(namesOfUnfinished) : .deadlock(waiting: namesOfUnfinished))
  }

  /// What a thread outside the world has done, if anything. Without work of the world's own,
  /// nothing else ends a wait.
  private var outsideEvent: SimulationFailure.Reason? {
    if let departure = departure.withLock({ $0 }) { return departure }
    let call = suspect.withLock { $0 }
    if let wait = waits.first(where: { $0.canEnd(at: now) }) {
      return .leftTheWorld(name(of: wait.task), call: call)
    }
    return queues.notifications.contains { $0.isDue() } ? .leftTheWorld(Names.root, call: call) : nil
  }

  /// The number of milliseconds in which a thread outside the world could resume a task: short if
  /// the world has started nothing there, and long if it has, because a busy machine may pause that
  /// thread.
  private var patience: Int {
    guard hooks.contains(.functions), OutsideCalls.areSeen.load(ordering: .relaxed) else {
      return limits.patience
    }
    return suspect.withLock { $0 == nil } ? min(limits.patience, 10) : limits.patience * 10
  }

  func settle(movingTime: Bool) async {
    await withCheckedContinuation { settlers.append((movingTime, $0)) }
  }
}
