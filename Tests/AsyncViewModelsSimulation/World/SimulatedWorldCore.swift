import AsyncViewModelsTesting
import Synchronization

/// What a world is made of: the jobs that are ready, the choice among them, and the record of what was chosen.
///
/// Guarded by the thread that runs the world: every member is used there only, but for `tasks` and `leaver`, which have locks of their
/// own. (Hence @unchecked.)
final class SimulatedWorldCore: @unchecked Sendable {
  struct Limits {
    var steps = 10_000
    /// How many milliseconds a run that can go no further waits for tasks that have left the world.
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
    /// 0 for jobs without an order among them; the number of a host, whose jobs run in the order in which they came.
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
  /// By lane, the last choice to which it has brought its first job.
  var laneStamps = [0]
  var pickCount = 0
  /// The executors of the hosts, by lane.
  var executors: [Int: SimulatedWorldExecutor] = [:]
  /// That of the main actor.
  private(set) lazy var mainExecutor = makeExecutor()
  var queues = QueueRecords()
  /// The lane of the block of a queue that is running; 0 where none is.
  var blockLane = 0
  var spawnCount = 0

  var steps = 0
  var choices: [Choice] = []
  var hash = ScheduleHash()
  var reason: SimulationFailure.Reason?
  var spawned: [SimulatedTask] = []
  var optionalSpawns: [Int] = []
  var rootHasEnded = false
  /// When the job that runs began to.
  var jobStart = ContinuousClock.now
  /// Whether the system may have taken the core away between a look at a real clock and the wait until a moment on it: then the wait may
  /// have come out shorter than the one that was asked for, and the run is not what its seed decides.
  var wasHeldUp = false

  /// The record for the report; nil where nobody will read it.
  var timeline: Timeline?

  let tasks = Mutex(TaskNumbers())
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
