internal import AsyncViewModelsRuntimeHooks

/// On the thread that runs a simulated world, makes each hop to a plain actor a job of that world.
///
/// A plain actor has the executor of the runtime. If such an actor is idle, the runtime takes the
/// thread to the actor without enqueuing a job. Instead, the world adds the job to the lane of the
/// actor, and passes it on to the actor when the seed chooses it. So the actor keeps its exclusive
/// access, also if code outside the world uses the same actor.
///
/// On Apple platforms, the runtime's functions cannot be replaced. There, jobs without an actor run
/// on an executor of the world, from which the runtime does not take the thread. So a hop from such
/// a job is a choice of the seed, but a hop from one plain actor to another is not, unless the task
/// prefers the ``SimulatedTaskExecutor`` of the world.
enum PlainActorCapture {
  /// The id of the task that runs on this thread, or 0 if there is none.
  static var currentTask: UInt64 {
    unsafe task_hops_current_task().map { JobIdentity(unsafe unsafeBitCast($0, to: UnownedJob.self)).task }
      ?? 0
  }

  /// The address of the plain actor on which this thread runs, or 0 if there is none.
  static var currentActor: UInt { task_hops_current_actor() }

  /// Enqueues a job on a plain actor itself.
  static func enqueue(_ job: UnownedJob, onActorAt address: UInt) {
    unsafe task_hops_enqueue(
      unsafeBitCast(job, to: UnsafeMutableRawPointer.self),
      TaskHopExecutor(identity: address, implementation: 0))
  }

  static func install() {
    task_hops_replace { target, isOrdered in
      guard let world = JobCapture.current,
        let executor = unsafe world.executor(forHopTo: target.identity, isOrdered: isOrdered)
      else { return target }
      return unsafe unsafeBitCast(executor, to: TaskHopExecutor.self)
    }
  }
}
