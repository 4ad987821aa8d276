internal import AsyncViewModelsTaskHops

/// Where a simulated world can interrupt the running code, so that another task or block runs first.
///
/// Pass a value to ``simulate(seeds:strategy:queues:interruptions:timerTolerance:stepLimit:_:)``.
public struct Interruptions: Hashable, Sendable {
  /// Where code suspends or calls an async function. The code between two such places is one step.
  public static let atSuspensions = Interruptions(includesLocks: false)

  #if canImport(Darwin)
    /// Unavailable on Apple platforms.
    @available(*, unavailable, message: "code cannot be interrupted at locks on Apple platforms")
    public static var atLocks: Interruptions { .atSuspensions }
  #else
    /// Also within synchronous code: before each use of a lock and before each atomic operation, before and after a continuation is
    /// resumed, after a task is created, and before and after a block is submitted to a simulated queue.
    ///
    /// So the simulation finds errors in code that uses locks: a check and its action in two locked sections, locks in different orders,
    /// or a continuation that is resumed under a lock. If a lock is held by interrupted code, the code that needs it waits, and other code
    /// of the world runs. If all wait, the run fails as a deadlock, which names who waits in which call.
    ///
    /// - Locks: `NSLock` and other locks of Foundation and pthread are seen. The compiler inlines the operations of `Mutex` and `Atomic`.
    ///   They are seen in code that is compiled with a flag of the compiler, and linked without the thread sanitizer:
    ///   `swift test -Xswiftc -Xfrontend -Xswiftc -sanitize=thread`. Without this flag, only a `Mutex` that is waited for is seen.
    /// - Memory: Between two places, code runs as one step. So accesses without a lock are not interleaved. Use the thread sanitizer to
    ///   find them.
    /// - Progress: If code passes a thousand places while others could run, another one runs next. So a loop that polls an atomic value
    ///   ends.
    /// - Complexity: A run has more choices and steps, and each interruption passes the world on to another thread.
    public static let atLocks = Interruptions(includesLocks: true)
  #endif

  /// Whether the code of this process is compiled so that `Mutex` and `Atomic` are seen.
  package static var seesAtomics: Bool { interruptions_see_atomics() }

  let includesLocks: Bool
}
