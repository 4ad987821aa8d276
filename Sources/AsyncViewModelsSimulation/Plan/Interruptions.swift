internal import AsyncViewModelsRuntimeHooks

/// Where a simulated world can interrupt the running code, so that another task or block runs first.
///
/// Pass a value to ``simulate(seeds:strategy:queues:interruptions:timerTolerance:stepLimit:threads:_:)``.
public struct Interruptions: Hashable, Sendable {
  /// Where code suspends or calls an async function. The code between two such places is one step.
  public static let atSuspensions = Interruptions(includesLocks: false)

  #if canImport(Darwin)
    /// Unavailable on Apple platforms.
    @available(*, unavailable, message: "code cannot be interrupted at locks on Apple platforms")
    public static var atLocks: Interruptions { .atSuspensions }
  #else
    /// Also within synchronous code: before a lock is locked and before an atomic operation, before and after a continuation is resumed,
    /// after a task is created or a block is submitted with `async`, and before `sync`.
    ///
    /// So the simulation finds errors in code that uses locks: a check and its action in two locked sections, locks in different orders,
    /// or a continuation that is resumed under a lock. If a lock is held by interrupted code, the code that needs it waits, and other code
    /// of the world runs. If all wait, the run fails, and the failure names who waits in which call.
    ///
    /// - Locks: `NSLock` and other locks of Foundation and pthread are seen, also read-write locks. The compiler inlines the operations
    ///   of `Mutex` and `Atomic`. They are seen in code that is compiled with a flag of the compiler, and linked without the thread
    ///   sanitizer: `swift test -Xswiftc -Xfrontend -Xswiftc -sanitize=thread`. Without this flag, only a `Mutex` that is waited for is
    ///   seen: check ``seesAtomics``. A load or a store of a global `Atomic` is never seen.
    /// - Queues: Use `queues: .simulated` for code with dispatch queues, semaphores or conditions. With real queues, interrupted code may
    ///   hold a queue that other code of the world needs. The thread of the world is then blocked.
    /// - Streams: `AsyncStream.Continuation` is not seen. Its elements become visible in one step.
    /// - Memory: Between two places, code runs as one step. So accesses without a lock are not interleaved. Use the thread sanitizer to
    ///   find them.
    /// - Progress: If code passes a thousand places while others could run, another one runs next. So a loop that polls a lock or an atomic
    ///   value ends.
    /// - Failures: A run that ends in a deadlock leaves its threads blocked, with the locks that they hold. If such a lock is global, later
    ///   runs that need it are blocked, too.
    /// - Complexity: A run has more choices and steps, and each interruption passes the world on to another thread.
    public static let atLocks = Interruptions(includesLocks: true)
  #endif

  /// Whether the code of this process is compiled so that `Mutex` and `Atomic` are seen.
  public static var seesAtomics: Bool { interruptions_see_atomics() }

  let includesLocks: Bool
}
