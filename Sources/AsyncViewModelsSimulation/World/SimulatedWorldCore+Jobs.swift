import Synchronization

extension SimulatedWorldCore {
  func enqueue(_ job: UnownedJob, lane: Int) { add(readyJob(job, lane: lane)) }

  /// Adds the job of a hop to a plain actor, or of a turn without an actor.
  func enqueue(_ job: UnownedJob, hoppingTo executor: PlainActorExecutor) {
    let address = executor.address
    var ready = readyJob(job, lane: executor.lane)
    if address != 0 { ready.work = .actorJob(job, address) }
    ready.isUnordered = executor.ordered != nil
    ready.prefersTaskExecutor = preferringTasks.contains(ready.task)
    self.ready.append(ready)
  }

  private func add(_ job: ReadyJob) {
    if case .drain = job.work, let passing, passing.actor == job.actor, passing.drain == nil {
      self.passing?.drain = job
    } else {
      ready.append(job)
    }
  }

  /// Adds a job of a task that prefers the task executor of the world.
  func enqueuePreferring(_ job: UnownedJob) {
    var job = readyJob(job, lane: 0)
    job.prefersTaskExecutor = true
    if case .job = job.work { preferringTasks.insert(job.task) }
    add(job)
  }

  func enqueue<Delay: DurationProtocol>(_ job: UnownedJob, after delay: Delay) {
    insert(Timer(due: due(after: delay as? Duration ?? .zero), job: readyJob(job, lane: 0)))
  }

  func insert(_ timer: Timer) {
    let index = timers.lastIndex { $0.due <= timer.due }.map { $0 + 1 } ?? 0
    timers.insert(timer, at: index)
  }

  private func readyJob(_ job: UnownedJob, lane: Int) -> ReadyJob {
    let identity = JobIdentity(job)
    let task = identity.task == 0 ? running : number(of: identity.task)
    if identity.drainedActor != 0 {
      let lane = plainActor(at: identity.drainedActor).lane
      return ReadyJob(
        work: .drain(job), task: task, lane: lane, resumesContinuation: false, actor: identity.drainedActor)
    }
    return ReadyJob(
      work: .job(job), task: task, lane: lane, resumesContinuation: identity.resumesContinuation,
      prefersTaskExecutor: lane > 0 && preferringTasks.contains(task))
  }

  /// The executor that takes the job of a hop to a plain actor, or of a turn without an actor (0).
  /// Nil if the task continues at once.
  func executor(forHopTo actor: UInt, isOrdered: Bool) -> UnownedSerialExecutor? {
    guard hooks.contains(.actorHops), actor != 0 || canTurn else { return nil }
    let executor = plainActor(at: actor)
    return unsafe (isOrdered ? executor.ordered ?? executor : executor).asUnownedSerialExecutor()
  }

  /// Whether the running code can be interrupted here.
  ///
  /// If no other job is ready, its task would also take the next turn. The beginning of a
  /// `Task.immediate` is part of the step that starts the task.
  private var canTurn: Bool {
    guard interruptsAfterCalls, !(ready.isEmpty && waits.isEmpty) else { return false }
    let task = PlainActorCapture.currentTask
    return tasks.withLock { $0.numbers[task] == running }
  }

  /// The executor of turns without an actor.
  var turns: PlainActorExecutor { plainActor(at: 0) }

  private func plainActor(at address: UInt) -> PlainActorExecutor {
    if let known = plainActors[address] { return known }
    let executor = PlainActorExecutor(core: self, address: address, lane: address == 0 ? 0 : makeLane())
    plainActors[address] = executor
    return executor
  }

  private func number(of task: UInt64) -> Int {
    let (number, isNew) = tasks.withLock { $0.number(of: task, creator: running) }
    if isNew, timeline != nil {
      timeline?.note(.created(number), step: steps, at: now)
      publish()
    }
    return number
  }

  /// Numbers a queue like a task, so that the timeline can show it.
  func number(ofQueue label: String) -> Int {
    tasks.withLock { $0.add("queue \(label)", creator: running) }
  }

  /// Whether the task belongs to this world. Callable from any thread.
  func owns(_ task: UInt64) -> Bool { tasks.withLock { $0.numbers[task] != nil } }

  /// Records that a thread outside the world resumed a task. Callable from any thread.
  func markLeft(by task: UInt64) {
    let name = tasks.withLock { tasks in tasks.name(of: tasks.numbers[task] ?? 0) }
    leave(.leftTheWorld(name, call: suspect.withLock { $0 }))
  }

  /// Records an event outside the world that fails the run. Only the first one counts. Callable
  /// from any thread.
  func leave(_ reason: SimulationFailure.Reason) { departure.withLock { $0 = $0 ?? reason } }

  func name(of task: Int) -> String { tasks.withLock { $0.name(of: task) } }

  func makeLane() -> Int {
    laneCount += 1
    laneStamps.append(0)
    laneShares.append(0)
    return laneCount
  }
}
