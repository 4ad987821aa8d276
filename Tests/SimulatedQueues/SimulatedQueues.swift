/// Puts dispatch queues under the seed of a simulation: with this module linked, what a world's code submits to a queue becomes a job of
/// the world, and `asyncAfter` waits for the world's time. Code of the closure stage runs in a world as it is.
///
/// Everything else in the process reaches libdispatch as before, at the cost of a look at a thread-local variable.
///
/// - A serial queue keeps its order, and its blocks run with the queue owned: `dispatchPrecondition`, `sync` and queue-specific values
///   work. A concurrent queue that the system did not make is taken for a serial one, which is one of the orders it may choose.
/// - `sync` runs what waits on the queue first, then its block: no other job comes between.
/// - To block the thread (semaphores, `DispatchGroup.wait`) in a world would block the world itself.
///
/// The means is to stand before libdispatch's own functions, which the linkers of ELF platforms allow. On Apple's platforms there is no
/// such place, and this module says so where it is used.
public enum SimulatedQueues {
  #if canImport(Darwin)
    @available(*, unavailable, message: "dispatch queues cannot be simulated on Apple's platforms")
    public static let isLinked = false
  #else
    /// True. To use it makes sure that the module is there.
    public static let isLinked = true
  #endif
}
