/// Lets a simulation schedule the blocks of dispatch queues.
///
/// If this module is linked and code in a simulated world submits a block to a queue, the block becomes a job
/// of that world. `asyncAfter` uses virtual time. So code that still uses queues runs unchanged in a world.
/// All other code in the process calls libdispatch as before, after one read of a thread-local variable.
///
/// - A serial queue keeps its order. The thread owns the queue while it runs a block, so
///   `dispatchPrecondition`, `sync` and queue-specific values work. A concurrent queue that the app creates
///   runs its blocks in the order of submission, which is one of the possible orders.
/// - `sync` runs the waiting blocks of the queue and then its own block. No other job runs in between.
/// - Do not block the thread in a world (with a semaphore or `DispatchGroup.wait`): a blocked thread stops
///   the whole world.
///
/// The module defines functions with the same names as those of libdispatch. On ELF platforms, the functions
/// of the module take precedence. Apple platforms do not allow this, so ``isLinked`` is unavailable there.
public enum SimulatedQueues {
  #if canImport(Darwin)
    /// Unavailable on Apple platforms.
    @available(*, unavailable, message: "dispatch queues cannot be simulated on Apple platforms")
    public static let isLinked = false
  #else
    /// True. A use of this property makes sure that the module is linked.
    public static let isLinked = true
  #endif
}
