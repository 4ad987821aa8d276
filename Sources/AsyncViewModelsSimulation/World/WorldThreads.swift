import Dispatch
import Synchronization

/// A thread that runs jobs of simulated worlds, one world after the other.
///
/// `@unchecked Sendable`: the thread reads `work` after `wake`, and the thread that calls `wake`
/// writes it before. Only the thread that runs the world uses `isInLoop`. The thread writes
/// `number` before it runs a world.
final class WorldThread: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  /// What the thread does after it has ended its current work, or nil to end the thread.
  var work: (() -> Void)?
  /// The number of the thread, by which locks know their owner.
  private(set) var number: Int32 = 0
  /// Whether the thread has left the loop of a world to another thread, and not yet ended its work.
  var isInLoop = false

  func wake() { semaphore.signal() }

  func park() { semaphore.wait() }

  func serve() {
    number = InterruptionCapture.thread
    repeat { park() } while performWork()
  }

  private func performWork() -> Bool {
    guard let work else { return false }
    self.work = nil
    work()
    return true
  }
}

/// The threads of a simulation.
///
/// `@unchecked Sendable`: only the thread that starts the simulation uses it.
final class SimulationThreads: @unchecked Sendable {
  /// The threads of the next world.
  private(set) var current = WorldThreads()

  /// Runs a world on the current threads. If one of its jobs blocks its thread or traps, fails the
  /// run and leaves the threads to the world.
  func run(_ core: SimulatedWorldCore, _ root: @escaping @Sendable () async throws -> Void) {
    if current.run(core, root) { return }
    current = WorldThreads()
    core.abandon()
  }

  func end() { current.end() }
}

/// The threads that run the worlds of a simulation. Only one of them runs code of the world at a
/// time.
///
/// A job that waits in synchronous code keeps its thread. Another thread then continues the loop of
/// the world, until the wait can end and the world chooses to continue the job. If a run ends in a
/// deadlock, its waiting jobs never continue, and their threads stay blocked until the process
/// ends.
///
/// The thread that starts the simulation runs no job. So it can always return, and it creates the
/// other threads. They inherit the task-local values of the test from it.
///
/// `@unchecked Sendable`: only the thread that runs the world uses the members. The threads pass
/// the world on with semaphores.
final class WorldThreads: @unchecked Sendable {
  /// The threads that neither run code of the world nor wait in it.
  var idle: [WorldThread] = []
  private let control = DispatchSemaphore(value: 0)
  private var needsThread = false

  /// Runs a world from its start to its end. Called by the thread that starts the simulation.
  ///
  /// - Returns: False if a job blocks its thread, or has trapped. Then this object must not be used
  ///   again.
  func run(_ core: SimulatedWorldCore, _ root: @escaping @Sendable () async throws -> Void) -> Bool {
    if core.survivesTraps { core.wakeAfterTrap = control }
    resume(core, on: idle.popLast() ?? makeThread()) { core.start(root) }
    while takesControl(from: core) {
      guard needsThread else { return true }
      needsThread = false
      resume(core, on: makeThread())
    }
    return false
  }

  /// Waits until another thread signals. Returns false if the world makes no step for too long, or
  /// its code has trapped.
  ///
  /// Counts seconds, and does not compare times, so that a debugger can stop the process.
  private func takesControl(from core: SimulatedWorldCore) -> Bool {
    var (steps, seconds) = (-1, 0)
    while control.wait(timeout: .now() + 1) == .timedOut {
      let progress = core.progress.load(ordering: .acquiring)
      seconds = progress == steps ? seconds + 1 : 0
      steps = progress
      if seconds >= core.limits.blocking { return false }
    }
    return !core.hasCrashed
  }

  /// Continues the loop of a world on an idle thread. The calling thread must not use the world
  /// after this call.
  func continueElsewhere(_ core: SimulatedWorldCore) {
    if let thread = idle.popLast() { return resume(core, on: thread) }
    needsThread = true
    control.signal()
  }

  /// Ends the idle threads.
  func end() {
    for thread in idle { thread.wake() }
    idle = []
  }

  private func makeThread() -> WorldThread {
    let thread = WorldThread()
    _ = Task(executorPreference: NewThreadExecutor()) { thread.serve() }
    return thread
  }

  private func resume(
    _ core: SimulatedWorldCore, on thread: WorldThread, beginning begin: @escaping () -> Void = {}
  ) {
    if !thread.isInLoop {
      thread.isInLoop = true
      thread.work = { [self] in runLoop(of: core, on: thread, begin) }
    }
    thread.wake()
  }

  private func runLoop(of core: SimulatedWorldCore, on thread: WorldThread, _ begin: () -> Void) {
    core.thread = thread
    let endsRun = JobCapture.capturing(for: core) {
      InterruptionCapture.paused {
        begin()
        core.loop()
        if core.isOver { return false }
        core.checkEnd()
        return true
      }
    }
    if endsRun { end(core, on: thread) }
  }

  /// Ends a run: the threads that have left the loop to another thread return from it.
  private func end(_ core: SimulatedWorldCore, on thread: WorldThread) {
    core.isOver = true
    core.thread = nil
    thread.isInLoop = false
    for thread in idle where thread.isInLoop {
      thread.isInLoop = false
      thread.wake()
    }
    idle.append(thread)
    control.signal()
  }
}
