public import AsyncViewModelsSimulation

extension QueueScheduling {
  /// The simulated world runs the blocks of dispatch queues, and the seed decides when each block
  /// runs.
  ///
  /// ```swift
  /// try await simulate(seeds: 1...20_000, queues: .simulated) { world in … }
  /// ```
  ///
  /// Code with GCD runs unchanged:
  ///
  /// | code | in the world |
  /// | --- | --- |
  /// | serial queue | keeps its order; queues with the same serial target exclude each other |
  /// | concurrent queue | any order; a barrier waits for the earlier blocks and holds back the later ones |
  /// | suspended or inactive queue | runs no block |
  /// | `dispatchPrecondition`, queue-specific values | work: the thread of a block owns its queue |
  /// | main queue | isolated to the main actor; no queue-specific values; `Thread.isMainThread` is false |
  /// | `asyncAfter` | virtual time |
  /// | timer source | virtual time; `settle` and the end of the body do not wait for one that repeats |
  /// | `OperationQueue` | respects dependencies and its limit; otherwise any order |
  /// | `sync`, `concurrentPerform`, waits for a group, an item, a semaphore or an `NSCondition` | other jobs run meanwhile; time limits are virtual |
  /// | `Thread.sleep`, `sleep`, `usleep` | as a wait, in virtual time |
  /// | unbalanced `leave`, `sync` on the running queue | fails the run as `trapped` |
  /// | `URLSession`, `DispatchIO`, a run loop that waits, a source other than a timer, a `Thread` that resumes a task or ends a wait | fails the run as `leftTheWorld`, which names the call |
  ///
  /// A waiting job keeps its queues, its actor and its locks, so a job that needs one of them
  /// waits, too. If nothing can end a wait, the run fails, and the failure names who waits in
  /// which call. A job that blocks its thread in another way fails the run after 30 seconds as
  /// `blocked`. The threads of waiting jobs stay blocked after such a failure, until the process
  /// ends.
  ///
  /// - Platforms: Linux. On Apple platforms, the simulation fails as `unsupported`.
  /// - Choices: Other jobs can run before each call that can wait, even if it does not wait. So a
  ///   deadlock of two free queues that are taken in opposite order is found.
  /// - Pool: The concurrency pool has two threads, as on the smallest devices. A task that waits
  ///   keeps its thread. So two tasks that wait for a third one are a deadlock. The main actor,
  ///   the actors on `world.isolation` and the queues have other threads.
  /// - Globals: The initial value of a global variable is computed once in the process. If this
  ///   code waits while other jobs could run, the run fails as `leftTheWorld`, because later runs
  ///   cannot repeat it. Use the variable before the simulation.
  /// - Linking: This module is a product of its own because its functions replace those of
  ///   libdispatch in the whole process, which only ELF platforms allow. Code outside the worlds
  ///   with simulated queues calls libdispatch as before, after one read of a thread-local
  ///   variable.
  public static var simulated: QueueScheduling { QueueScheduling(isSimulated: true) }
}
