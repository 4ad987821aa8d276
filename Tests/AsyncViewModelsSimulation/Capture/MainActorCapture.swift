#if canImport(Darwin)
  /// Does nothing: on Apple platforms a task that hops to the main actor leaves its world, which fails the
  /// run.
  enum MainActorCapture {
    static func install() {}
  }
#else
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Makes the main actor a host of the world on the thread of that world. Other threads are unaffected.
  ///
  /// A hop to the main actor asks the runtime for the main executor. A hook returns the executor of the world
  /// on its thread. Without that hook, a task that hops to the main actor leaves its world, which fails the
  /// run.
  enum MainActorCapture {
    /// The two words of an executor, as a C type that is returned in the same registers.
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
