import AsyncViewModelsTesting
import Synchronization

/// The state of a simulated world: the ready jobs, the choice among them, and the record of the choices.
///
/// `@unchecked Sendable`: only the thread that runs the world uses the members, except `tasks` and `leaver`,
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
    /// The number of the host, whose jobs run in the order of arrival. 0 for jobs that may run in any order.
    let lane: Int
    let resumesContinuation: Bool
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
  /// The executor of the main actor.
  private(set) lazy var mainExecutor = makeExecutor()
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

  /// The record for the report, or nil if the run is not reported.
  var timeline: Timeline?

  /// The numbers and names of the tasks.
  let tasks = Mutex(TaskNumbers())
  /// The number of the first task that left the world, or nil. Such a task fails the run.
  let leaver = Mutex<Int?>(nil)

  init(chooser: any Chooser, omitted: Set<Int> = [], limits: Limits = Limits(), records: Bool = false) {
    self.chooser = chooser
    self.omitted = omitted
    self.limits = limits
    timeline = records ? Timeline() : nil
  }

  func makeExecutor() -> SimulatedWorldExecutor {
    let executor = SimulatedWorldExecutor(core: self)
    executors[executor.lane] = executor
    return executor
  }

  var isCurrent: Bool { JobCapture.current === self }
}
