internal import AsyncViewModelsRuntimeHooks

/// Where a simulated world can interrupt the running code, so that another task or block runs
/// first.
///
/// ```swift
/// try await simulate(queues: .simulated, interruptions: .atLocks) { world in … }
/// ```
public struct Interruptions: Hashable, Sendable {
  /// Where code suspends or calls an async function. The code between two such places is one step.
  public static let atSuspensions = Interruptions(includesLocks: false)

  /// Also at locks, at atomic operations and where code resumes or starts other code.
  ///
  /// Finds errors in code with locks: a check and its action in two locked sections, locks in
  /// different orders, a continuation that is resumed under a lock. Code that needs a lock of
  /// interrupted code waits, and other code of the world runs.
  ///
  /// | place | seen |
  /// | --- | --- |
  /// | before a lock of Foundation or pthread, also a read-write lock | yes |
  /// | before and after a resumption of a continuation | yes |
  /// | after a task is created or a block is submitted, before `sync` | yes |
  /// | before an operation of `Mutex` or `Atomic` | if ``seesAtomics``, except a load or a store of a global `Atomic` |
  /// | before a wait for a locked `Mutex` | yes |
  /// | in `AsyncStream.Continuation` | no: its elements become visible in one step |
  /// | an access to memory without a lock | no: use the thread sanitizer |
  ///
  /// Pass `queues: .simulated` for code with dispatch queues, semaphores or conditions. With real
  /// queues, interrupted code can hold a queue and block the thread of the world.
  ///
  /// - Platforms: Linux. On Apple platforms, the simulation fails as
  ///   ``SimulationFailure/Reason/unsupported(_:)``.
  /// - Progress: After a thousand places in a row, another job runs. So a loop that polls ends.
  /// - Failures: If all code waits, the run fails and names who waits in which call. Its threads
  ///   stay blocked, with the locks that they hold, so a global lock also blocks later runs.
  /// - Complexity: More choices and steps. Each interruption passes the world to another thread.
  public static let atLocks = Interruptions(includesLocks: true)

  /// Whether the code of this process is compiled so that operations of `Mutex` and `Atomic` are
  /// seen.
  ///
  /// The compiler inlines these operations. This command makes them visible:
  /// `swift test -Xswiftc -Xfrontend -Xswiftc -sanitize=thread`. Do not link the thread sanitizer.
  public static var seesAtomics: Bool { interruptions_see_atomics() }

  let includesLocks: Bool
}
