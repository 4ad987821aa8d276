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
    /// - A serial queue keeps its order. The thread of the world owns a queue while a block of the queue runs, so
    ///   `dispatchPrecondition`, `sync` and queue-specific values work. The main queue is an exception: it belongs
    ///   to the main thread. A concurrent queue that the app creates runs its blocks in the order of submission, which
    ///   is one of the possible orders.
    /// - `sync` runs the waiting blocks of the queue and then its own block. No other job runs in between. On a
    ///   global queue, `sync` runs only its own block.
    /// - Do not block the thread in a world (with a semaphore or `DispatchGroup.wait`): a blocked thread stops
    ///   the whole world.
    /// - A `URLSession` waits for sockets, which no world simulates. The first use of a session in a world makes the
    ///   run fail with `SimulationFailure.Reason.leftTheWorld`.
    ///
    /// The module defines functions with the same names as those of libdispatch. On ELF platforms, the functions
    /// of the module take precedence. Apple platforms do not allow this, so this property is unavailable there.
    public static var simulated: QueueScheduling { QueueScheduling(isSimulated: true) }
  #endif
}
