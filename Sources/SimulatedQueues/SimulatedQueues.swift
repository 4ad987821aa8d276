public import AsyncViewModelsSimulation

extension QueueScheduling {
  #if canImport(Darwin)
    /// Unavailable on Apple platforms.
    @available(*, unavailable, message: "dispatch queues cannot be simulated on Apple platforms")
    public static var simulated: QueueScheduling { .real }
  #else
    /// The simulated world runs the blocks of dispatch queues, and the seed decides when each block runs.
    ///
    /// If code in the world submits a block to a queue, the block becomes a job of the world. `asyncAfter` uses virtual
    /// time. So code that still uses queues runs unchanged in a world. All other code in the process, including the code
    /// of worlds whose queues are `real`, calls libdispatch as before, after one read of a thread-local variable.
    ///
    /// ```swift
    /// try await simulate(seeds: 1...20_000, queues: .simulated) { world in … }
    /// ```
    ///
    /// - Order: A serial queue keeps its order. A concurrent queue runs its blocks in any order, and a barrier waits for
    ///   the earlier blocks and holds back the later ones. Suspended and inactive queues run no block. Queues with the
    ///   same serial target exclude each other.
    /// - Isolation: The thread that runs a block owns the queue, so `dispatchPrecondition`, `sync` and queue-specific
    ///   values work. On the main queue, `dispatchPrecondition` and the isolation of the main actor work, but
    ///   queue-specific values are nil, and `Thread.isMainThread` is false.
    /// - Waits: If code waits in `sync`, `DispatchGroup.wait`, `DispatchWorkItem.wait`, `DispatchSemaphore.wait`,
    ///   `concurrentPerform` or `NSCondition`, other jobs of the world run. The waiting job keeps its queues and its
    ///   actor. A timeout uses virtual time, and so do `Thread.sleep`, `sleep` and `usleep`. If nothing can end a wait, the run fails,
    ///   and the failure names who waits in which call.
    /// - Timers: A timer source fires in virtual time. `settle` and the end of the body do not wait for a timer that
    ///   repeats.
    /// - Operations: An `OperationQueue` respects dependencies and its limit, and otherwise runs in any order.
    /// - Traps: An unbalanced `DispatchGroup.leave`, and `sync` on the queue that is running, fail the run with
    ///   `SimulationFailure.Reason.trapped`. They do not end the process.
    /// - What no world simulates fails the run with `SimulationFailure.Reason.leftTheWorld`, which names the call:
    ///   `URLSession`, `DispatchIO`, a run loop that waits, a source other than a timer, and a `Thread` that resumes a
    ///   task or ends a wait.
    ///
    /// - Choices: A call that can wait is a choice of the seed also if it does not wait now: before `sync`, and before one of the waits
    ///   above, other jobs can run. So a deadlock of two free queues that are taken in opposite order is found. A lock is a
    ///   choice only with `interruptions: .atLocks`.
    /// - Pool: The concurrency pool has two threads, as on the smallest devices. A task, or a job of an actor that no host runs, keeps
    ///   its thread while it waits. If two of them wait for a third one, the run fails as a deadlock, and the failure names them.
    ///   The main actor, the hosts and the queues have threads of their own.
    /// - Globals: The process computes the initial value of a global variable, such as a `static let`, only once. If this code
    ///   calls `sync` or waits while other jobs could run, the run fails with `leftTheWorld`, because later runs cannot repeat it.
    ///   Use the variable before the simulation to run other code with it.
    ///
    /// A run starts another thread only if a job waits or is interrupted. Only one thread runs code of the world at a time.
    ///
    /// If a job waits while it holds a `Mutex` or a lock of pthread, a job that needs this lock waits in the world, too. If
    /// a job blocks its thread in another way, for example with a read-write lock, the world stops. After 30 seconds, the
    /// run then fails with `SimulationFailure.Reason.blocked`. A run that ends in a deadlock leaves the threads of its
    /// waiting jobs blocked until the process ends.
    ///
    /// The module defines functions with the same names as those of libdispatch. On ELF platforms, the functions
    /// of the module take precedence. Apple platforms do not allow this, so this property is unavailable there.
    public static var simulated: QueueScheduling { QueueScheduling(isSimulated: true) }
  #endif
}
