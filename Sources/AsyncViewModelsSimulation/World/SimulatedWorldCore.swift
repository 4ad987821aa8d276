import Dispatch
import Synchronization

/// The state of a simulated world: the ready jobs, the choice among them, and the record of the
/// choices.
///
/// `@unchecked Sendable`: only the thread that runs the world uses the members, except `tasks`,
/// `departure`, `suspect`, `progress` and `crashed`. After a trap, the thread that reports it uses
/// them. While a step blocks its thread, the thread that reports this reads what ``publish()`` has
/// published.
///
/// `@safe @exclusivity(unchecked)`: each step uses these members, and the checks took a seventh of
/// the time of a run. No change of such a member calls code that uses the same member.
final class SimulatedWorldCore: @unchecked Sendable {
  struct Limits {
    var steps = 10_000
    /// The number of milliseconds that a stuck run waits for tasks that have left the world. Ten
    /// times as many if it is known that the world has started work on other threads.
    var patience = 300
    /// The number of seconds after which a job that blocks its thread fails the run. Only in a
    /// world with threads.
    var blocking = 30
  }

  enum Work {
    case job(UnownedJob)
    /// A job of the plain actor at an address.
    case actorJob(UnownedJob, UInt)
    /// A job in which the runtime runs the waiting jobs of a plain actor.
    case drain(UnownedJob)
    /// A block of a dispatch queue.
    case block(SubmittedBlock)
    /// The end of a wait in synchronous code, which continues on its own thread.
    case resumption(SynchronousWait)
  }

  /// A block of a dispatch queue, which is released after it has run, in the step in which it runs.
  final class SubmittedBlock {
    private var body: (() -> Void)?

    init(_ body: @escaping () -> Void) { self.body = body }

    func run() { body.take()?() }
  }

  /// A job that could run now.
  struct ReadyJob {
    var work: Work
    let task: Int
    /// The number of the isolation or serial queue of the job. Its jobs run in the order of
    /// arrival. 0 for jobs that may run in any order.
    let lane: Int
    let resumesContinuation: Bool
    /// Whether the task of the job prefers the task executor of the world.
    var prefersTaskExecutor = false
    /// Whether the job can run before earlier jobs of its lane: a hop from code without an actor,
    /// which can take any time.
    var isUnordered = false
    /// The address of the plain actor that a drain belongs to.
    var actor: UInt = 0
    /// Whether the job may run beside other shared jobs of its lane: a block of a concurrent queue,
    /// but not a barrier.
    var isShared = false
  }

  struct Timer {
    let due: VirtualClock.Instant
    let job: ReadyJob
    /// Whether the job inserts the timer again. Time does not advance only for such a timer once
    /// the tasks have ended.
    var repeats = false
  }

  enum Names {
    static let root = "body"
  }

  let clock = VirtualClock()
  let limits: Limits
  let queueScheduling: QueueScheduling
  /// The longest distance between two deadlines that may come at the same time.
  let timerTolerance: Duration
  let chooser: any Chooser
  /// The world of which this is the state.
  weak var world: SimulatedWorld?
  /// The seed of the run, or nil if it replays a path.
  var seed: UInt64?
  let omitted: Set<Int>
  /// Whether code without an actor can be interrupted after each call of an async function.
  /// Otherwise it continues until it suspends or hops to an actor.
  let interruptsAfterCalls: Bool
  /// What the world sees of the process.
  let hooks: RuntimeHooks
  /// Where the world can interrupt code.
  let interruptions: Interruptions

  @safe @exclusivity(unchecked) var ready: [ReadyJob] = []
  @safe @exclusivity(unchecked) var timers: [Timer] = []
  var settlers: [(movesTime: Bool, continuation: CheckedContinuation<Void, Never>)] = []
  @safe @exclusivity(unchecked) var options: [Int] = []
  @safe @exclusivity(unchecked) var optionTasks: [Int] = []
  /// The task that would have run in the default order, or nil if the last choice followed this
  /// order.
  @safe @exclusivity(unchecked) var preferredTask: Int?
  @safe @exclusivity(unchecked) var running = 0
  @safe @exclusivity(unchecked) var laneCount = 0
  /// For each lane, the number of the last pick that considered the first job of the lane.
  @safe @exclusivity(unchecked) var laneStamps = [0]
  /// For each lane, the number of the last pick that found a shared job in progress or ready.
  @safe @exclusivity(unchecked) var laneShares = [0]
  @safe @exclusivity(unchecked) var pickCount = 0
  /// Whether a choice that the next text reports differs from the default.
  @safe @exclusivity(unchecked) var hasTurnedQuietly = false
  /// The executors of the isolations, by lane.
  @safe @exclusivity(unchecked) var executors: [Int: SimulatedWorldExecutor] = [:]
  /// The executors that take the jobs of plain actors, by the address of the actor. Address 0 is
  /// for turns without an actor.
  @safe @exclusivity(unchecked) var plainActors: [UInt: PlainActorExecutor] = [:]
  /// The address of the plain actor to which the world passes a job on, and the job in which the
  /// actor runs it.
  @safe @exclusivity(unchecked) var passing: (actor: UInt, drain: ReadyJob?)?
  /// Whether the runtime has chosen the order of jobs that are choices of the seed otherwise.
  var ranUnchosen = false
  private var createdMainExecutor: SimulatedWorldExecutor?
  /// The preferred executor of the tasks that the world starts, or nil if they have none.
  private(set) var taskExecutor: SimulatedTaskExecutor?
  /// The numbers of the tasks that prefer the task executor of the world, including child tasks.
  @safe @exclusivity(unchecked) var preferringTasks: Set<Int> = []
  @safe @exclusivity(unchecked) var queues = QueueRecords()
  /// The lanes that the running job occupies.
  @safe @exclusivity(unchecked) var heldLanes: [LaneHold] = []
  /// Whether the running job runs on a thread of the concurrency pool.
  @safe @exclusivity(unchecked) var isOnPool = false
  /// The jobs that wait in synchronous code, each on its own thread.
  @safe @exclusivity(unchecked) var waits: [SynchronousWait] = []
  /// The job that runs next, as an interruption has chosen, or nil to choose it.
  @safe @exclusivity(unchecked) var next: Int?
  /// The number of places in a row at which the running job could be interrupted, and continued.
  @safe @exclusivity(unchecked) var stays = 0
  /// The places that the code has passed, or nil to record none.
  var seenPlaces: Set<String>?
  /// The call that the next wait reports.
  var outerCall: String?
  /// The threads that run the world, or nil if only one thread runs it. Then its code cannot wait.
  @safe @exclusivity(unchecked) var threads: WorldThreads?
  /// The thread that runs the world now.
  @safe @exclusivity(unchecked) var thread: WorldThread?
  /// Whether the run has failed, but one of its threads may still use the world.
  var isAbandoned = false
  /// The number of waits of run loops that were refused.
  var refusals = 0
  /// Whether the run has ended.
  @safe @exclusivity(unchecked) var isOver = false
  var spawnCount = 0

  @safe @exclusivity(unchecked) var steps = 0
  @safe @exclusivity(unchecked) var choices: [Choice] = []
  @safe @exclusivity(unchecked) var hash = ScheduleHash()
  @safe @exclusivity(unchecked) var reason: SimulationFailure.Reason?
  var spawned: [SimulatedTask] = []
  var optionalSpawns: [Int] = []
  var rootHasEnded = false
  /// The reads of the system's clocks by code of the world.
  var clockReads = ClockReads()
  /// The time by which the wall clocks were set ahead.
  var wallOffset = Duration.zero
  /// Whether the world itself reads a clock, which does not count.
  var readsOwnClock = false
  /// Whether an expectation of the testing library failed in a detached task.
  ///
  /// Each repetition of the run records another issue, for an unknown test. So the simulation does
  /// not reduce such a run.
  var recordsIssues = false

  /// The record for the report, or nil if the run is not reported.
  @safe @exclusivity(unchecked) var timeline: Timeline?

  /// The numbers and names of the tasks.
  let tasks = UninterruptedMutex(TaskNumbers())
  /// The first event outside the world that fails the run, or nil.
  let departure = UninterruptedMutex<SimulationFailure.Reason?>(nil)
  /// The call that resumes a task from outside the world, if a task leaves it, or nil if it is
  /// unknown.
  let suspect = UninterruptedMutex<String?>(nil)
  /// Changes with each step, and while the run waits for threads outside the world, for the thread
  /// that watches the run.
  let progress = Atomic(0)
  /// Whether the process continues after a trap, if another thread can report it.
  var survivesTraps = false
  /// What wakes the thread that continues after a trap, or nil if a trap ends the process.
  var wakeAfterTrap: DispatchSemaphore?
  /// Whether the code of the world has trapped.
  let crashed = Atomic(false)

  init(
    chooser: any Chooser, omitted: Set<Int> = [], interruptsAfterCalls: Bool = true,
    limits: Limits = Limits(),
    queueScheduling: QueueScheduling = .real, interruptions: Interruptions = .atSuspensions,
    timerTolerance: Duration = .zero,
    hooks: RuntimeHooks = .ofThisPlatform, records: Bool = false
  ) {
    self.chooser = chooser
    self.omitted = omitted
    self.interruptsAfterCalls = interruptsAfterCalls
    self.hooks = hooks
    self.limits = limits
    self.queueScheduling = queueScheduling
    self.interruptions = interruptions
    self.timerTolerance = timerTolerance
    timeline = records ? Timeline() : nil
    if hooks.contains(.taskExecutor) { taskExecutor = SimulatedTaskExecutor(core: self) }
  }

  /// The path that this run has taken.
  var path: SimulationPath {
    SimulationPath(choices: choices.map(\.chosen), omitted: omitted, isCoarse: !interruptsAfterCalls)
  }

  /// The executor of the main actor.
  var mainExecutor: SimulatedWorldExecutor {
    if let createdMainExecutor { return createdMainExecutor }
    let executor = makeExecutor()
    createdMainExecutor = executor
    return executor
  }

  /// Releases the executors, which retain the world.
  ///
  /// After a failed run, tasks may still be suspended on the main actor. These tasks do not retain
  /// the executor of the main actor. So this function then keeps that executor, and the executor
  /// keeps the world alive.
  func releaseExecutors() {
    executors = [:]
    plainActors = [:]
    taskExecutor = nil
    if reason == nil { createdMainExecutor = nil }
  }

  func makeExecutor() -> SimulatedWorldExecutor {
    let executor = SimulatedWorldExecutor(core: self)
    executors[executor.lane] = executor
    return executor
  }

  /// The virtual time.
  var now: VirtualClock.Instant { InterruptionCapture.paused { clock.now } }

  var isCurrent: Bool { JobCapture.current === self }
}
