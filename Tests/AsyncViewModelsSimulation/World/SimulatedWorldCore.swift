import AsyncViewModelsTesting
import Synchronization

/// The state of a simulated world: the ready jobs, the choice among them, and the record of the choices.
///
/// `@unchecked Sendable`: only the thread that runs the world uses the members, except `tasks` and `departure`,
/// which have their own locks.
final class SimulatedWorldCore: @unchecked Sendable {
  struct Limits {
    var steps = 10_000
    /// The number of milliseconds that a stuck run waits for tasks that have left the world.
    var patience = 300
  }

  enum Work {
    case job(UnownedJob)
    /// A block of a dispatch queue.
    case block(() -> Void)
  }

  /// A job that could run now.
  struct ReadyJob {
    let work: Work
    let task: Int
    /// The number of the host or serial queue of the job. Its jobs run in the order of arrival. 0 for jobs that
    /// may run in any order.
    let lane: Int
    let resumesContinuation: Bool
    /// Whether the task of the job prefers the task executor of the world.
    var prefersTaskExecutor = false
  }

  struct Timer {
    let due: VirtualClock.Instant
    let job: ReadyJob
  }

  enum Names {
    static let root = "body"
  }

  let clock = VirtualClock()
  let limits: Limits
  let queueScheduling: QueueScheduling
  let chooser: any Chooser
  let omitted: Set<Int>

  var ready: [ReadyJob] = []
  var timers: [Timer] = []
  var settlers: [(movesTime: Bool, continuation: CheckedContinuation<Void, Never>)] = []
  var options: [Int] = []
  var optionTasks: [Int] = []
  var running = 0
  var laneCount = 0
  /// For each lane, the number of the last pick that considered the first job of the lane.
  var laneStamps = [0]
  var pickCount = 0
  /// The executors of the hosts, by lane.
  var executors: [Int: SimulatedWorldExecutor] = [:]
  private var createdMainExecutor: SimulatedWorldExecutor?
  /// The preferred executor of the tasks that the world starts, or nil if they have none.
  private(set) var taskExecutor: SimulatedTaskExecutor?
  /// The numbers of the tasks that prefer the task executor of the world, including child tasks.
  var preferringTasks: Set<Int> = []
  var queues = QueueRecords()
  /// The lane of the running queue block, or 0 if none is running.
  var blockLane = 0
  var spawnCount = 0

  var steps = 0
  var choices: [Choice] = []
  var hash = ScheduleHash()
  var reason: SimulationFailure.Reason?
  var spawned: [SimulatedTask] = []
  var optionalSpawns: [Int] = []
  var rootHasEnded = false
  /// The real time at which the running job started.
  var jobStart = ContinuousClock.now
  /// Whether the system may have suspended the thread between a read of a real clock and the wait that is
  /// based on it.
  ///
  /// The wait may then be shorter than requested. In this case, the seed alone does not decide the run.
  var wasHeldUp = false
  /// Whether an expectation of the testing library failed in a detached task.
  ///
  /// Each repetition of the run records another issue, for an unknown test. So the simulation does not reduce
  /// such a run.
  var recordsIssues = false

  /// The record for the report, or nil if the run is not reported.
  var timeline: Timeline?

  /// The numbers and names of the tasks.
  let tasks = Mutex(TaskNumbers())
  /// The first event outside the world that fails the run, or nil.
  let departure = Mutex<SimulationFailure.Reason?>(nil)

  init(
    chooser: any Chooser, omitted: Set<Int> = [], limits: Limits = Limits(),
    queueScheduling: QueueScheduling = .real, prefersTaskExecutor: Bool = false, records: Bool = false
  ) {
    self.chooser = chooser
    self.omitted = omitted
    self.limits = limits
    self.queueScheduling = queueScheduling
    timeline = records ? Timeline() : nil
    if prefersTaskExecutor { taskExecutor = SimulatedTaskExecutor(core: self) }
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
  /// After a failed run, tasks may still be suspended on the main actor. These tasks do not retain the executor
  /// of the main actor. So this function then keeps that executor, and the executor keeps the world alive.
  func releaseExecutors() {
    executors = [:]
    taskExecutor = nil
    if reason == nil { createdMainExecutor = nil }
  }

  func makeExecutor() -> SimulatedWorldExecutor {
    let executor = SimulatedWorldExecutor(core: self)
    executors[executor.lane] = executor
    return executor
  }

  var isCurrent: Bool { JobCapture.current === self }
}
