#if canImport(Darwin)
  /// Does nothing. On Apple platforms, a hop to the main actor escapes the simulation, which fails
  /// the run.
  enum MainActorCapture {
    static func install() {}
  }
#else
  import Foundation

  /// On the thread that runs a simulated world, replaces the main executor with an executor of that
  /// world.
  ///
  /// The runtime asks a hook for the main executor. The hook returns the world's executor on that
  /// thread, and the original executor on all other threads. Without the hook, a hop to the main
  /// actor would escape the simulation, which fails the run. A hook that another library has
  /// installed stays in place.
  enum MainActorCapture {
    /// A C type of two words, like an executor. A C function returns it in the same registers
    /// as an executor.
    private typealias Words = ldiv_t
    private typealias Original = @convention(c) () -> Words
    private typealias Hook = @convention(c) (Original) -> Words

    static func install() {
      guard let hook = unsafe Symbols.address(of: "swift_task_getMainExecutor_hook") else { return }
      let slot = unsafe hook.assumingMemoryBound(to: Hook?.self)
      guard unsafe slot.pointee == nil else { return }
      unsafe slot.pointee = { original in
        guard let world = JobCapture.world(seenBy: .mainActor) else { return original() }
        return unsafe unsafeBitCast(world.mainExecutor.asUnownedSerialExecutor(), to: Words.self)
      }
    }
  }
#endif
