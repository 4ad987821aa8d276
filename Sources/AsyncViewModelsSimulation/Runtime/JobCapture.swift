internal import AsyncViewModelsRuntimeHooks
import Foundation
import Synchronization

/// Redirects jobs from the global executor to a simulated world, if the thread of that world
/// enqueues them.
///
/// All other jobs of the process are unaffected. Only the threads of a world run its tasks, so the
/// enqueuing thread identifies the world of a job. If another thread enqueues a task of a world,
/// that task has left its world, which fails the run.
enum JobCapture {
  private typealias Original = @convention(c) (UnsafeRawPointer) -> Void
  private typealias Hook = @convention(c) (UnsafeRawPointer, Original) -> Void

  private static let worlds = Mutex<[ObjectIdentifier: SimulatedWorldCore]>([:])
  /// The tasks of failed runs, which may be suspended forever.
  private static let abandonedTasks = UninterruptedMutex<Set<UInt64>>([])
  private static let abandonedCount = Atomic(0)
  private static let worldCount = Atomic(0)

  /// The world that this thread runs, or nil.
  static var current: SimulatedWorldCore? {
    unsafe current_world().map {
      unsafe Unmanaged<SimulatedWorldCore>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The world that this thread runs, if it uses a hook.
  static func world(seenBy hook: RuntimeHooks) -> SimulatedWorldCore? {
    current.flatMap { $0.hooks.contains(hook) ? $0 : nil }
  }

  /// Whether this thread runs a world that does not use a hook.
  static func isUnseen(by hook: RuntimeHooks) -> Bool {
    current.map { !$0.hooks.contains(hook) } ?? false
  }

  /// Runs `body`, and fails `core` if meanwhile a thread outside the world enqueues a job of its
  /// tasks.
  static func registering<Result>(_ core: SimulatedWorldCore, _ body: () -> Result) -> Result {
    precondition(current == nil, "simulate: a simulation cannot run within another one")
    worlds.withLock { $0[ObjectIdentifier(core)] = core }
    worldCount.add(1, ordering: .sequentiallyConsistent)
    defer { forget(core) }
    return body()
  }

  /// Ends the registration of a world. If its run has failed and left its body suspended, its tasks
  /// do not run again, even if another thread resumes them later. The exception are tasks on plain
  /// actors, whose jobs do not tell their task.
  static func forget(_ core: SimulatedWorldCore) {
    if core.reason != nil, core.bodyState != .ended {
      let tasks = core.tasks.withLock { Array($0.tasks) }
      abandonedTasks.withLock { $0.formUnion(tasks) }
      abandonedCount.add(1, ordering: .sequentiallyConsistent)
    }
    worldCount.subtract(1, ordering: .sequentiallyConsistent)
    withExtendedLifetime(worlds.withLock { $0.removeValue(forKey: ObjectIdentifier(core)) }) {}
  }

  /// Runs `body`, and redirects to `core` all jobs that this thread enqueues. Redirects none if
  /// `core` is nil.
  static func capturing<Result>(for core: SimulatedWorldCore?, _ body: () -> Result) -> Result {
    let outer = unsafe current_world()
    unsafe current_world_set(core.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    defer { unsafe current_world_set(outer) }
    return body()
  }

  /// The worlds that run now, on any thread.
  static var registeredWorlds: [SimulatedWorldCore] { worlds.withLock { Array($0.values) } }

  /// Takes a job that belongs to a world. Returns false if the process has to run the job itself.
  ///
  /// If this thread runs a world, that world runs the job. If this thread runs no world, but the
  /// task of the job belongs to the world of another thread, the job is dropped and the run of that
  /// world fails. The jobs of failed runs are dropped, too.
  static func takes(_ job: UnownedJob) -> Bool {
    if abandonedCount.load(ordering: .relaxed) > 0, isAbandoned(job) { return true }
    if let world = current {
      world.enqueue(job, lane: 0)
      return true
    }
    return worldCount.load(ordering: .relaxed) > 0 && belongsElsewhere(job)
  }

  private static func belongsElsewhere(_ job: UnownedJob) -> Bool {
    let task = JobIdentity(job).task
    guard task != 0 else { return false }
    return worlds.withLock { $0.values.first { $0.owns(task) } }?.markLeft(by: task) != nil
  }

  private static func isAbandoned(_ job: UnownedJob) -> Bool {
    let task = JobIdentity(job).task
    // The world of this thread knows its tasks without a lock that other worlds need.
    return task != 0 && current?.owns(task) != true && abandonedTasks.withLock { $0.contains(task) }
  }

  /// The reason that this process cannot run a simulation, or nil if it can. The first access
  /// installs the hooks and checks that each of them works.
  static let obstacle: String? = installHooks() ?? HookCheck.problem()

  private static func installHooks() -> String? {
    guard Toolchain.isVerified else {
      return
        "its hooks into the concurrency runtime were verified with \(Toolchain.verified), and not with this compiler"
    }
    guard let hook = unsafe Symbols.address(of: "swift_task_enqueueGlobal_hook") else {
      return "the concurrency runtime has no swift_task_enqueueGlobal_hook"
    }
    guard JobIdentity.findTaskNumber() else {
      return "the concurrency runtime cannot identify the task of a job: it has no swift_task_getJobTaskId"
    }
    let slot = unsafe hook.assumingMemoryBound(to: Hook?.self)
    guard unsafe slot.pointee == nil else {
      return "something else in this process has set swift_task_enqueueGlobal_hook"
    }
    unsafe slot.pointee = { job, original in
      let unowned = unsafe unsafeBitCast(job, to: UnownedJob.self)
      if !JobCapture.takes(unowned) { unsafe original(job) }
    }
    DefaultExecutorCapture.install()
    PlainActorCapture.install()
    ClockCapture.install()
    MainActorCapture.install()
    InterruptionCapture.install()
    OutsideCalls.install()
    CrashReport.install()
    BlockWatch.start()
    return nil
  }
}
