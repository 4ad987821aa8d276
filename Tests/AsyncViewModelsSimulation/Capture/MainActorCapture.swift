#if canImport(Darwin)
  /// The main actor is out of reach here: a task that hops to it leaves its world, and the world says so.
  enum MainActorCapture {
    static func install() {}
  }
#else
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Makes the main actor a host of the world on a world's thread, and leaves it alone on every other one.
  ///
  /// Who hops to the main actor asks the runtime for its executor, and the answer depends on the thread: that of a world gets the
  /// world's. Where the runtime cannot be asked, a task that hops to the main actor leaves its world, and the world says so.
  enum MainActorCapture {
    /// The two words of an executor, in a type that C functions return as Swift's do.
    private typealias Words = ldiv_t
    private typealias Original = @convention(c) () -> Words
    private typealias Hook = @convention(c) (Original) -> Words

    static func install() {
      guard let hook = unsafe Symbols.address(of: "swift_task_getMainExecutor_hook") else { return }
      let slot = unsafe hook.assumingMemoryBound(to: Hook?.self)
      guard unsafe slot.pointee == nil else { return }
      unsafe slot.pointee = { original in
        guard let world = JobCapture.current else { return original() }
        return unsafe unsafeBitCast(world.mainExecutor.asUnownedSerialExecutor(), to: Words.self)
      }
    }
  }
#endif
