#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Makes the main actor a host of the world on a world's thread, and leaves it alone on every other one.
///
/// Who hops to the main actor asks the runtime for its executor, and the answer depends on the thread: that of a world gets the world's.
enum MainActorCapture {
  /// The two words of an executor, in a type that C functions return as Swift's do.
  private typealias Words = ldiv_t
  private typealias Original = @convention(c) () -> Words
  private typealias Hook = @convention(c) (Original) -> Words

  /// False where the runtime has no place for it, or somebody else is there: then a task that hops to the main actor leaves its world,
  /// and the world says so.
  static let isInstalled: Bool = {
    guard let hook = unsafe Symbols.address(of: "swift_task_getMainExecutor_hook") else { return false }
    let slot = unsafe hook.assumingMemoryBound(to: Hook?.self)
    guard unsafe slot.pointee == nil else { return false }
    unsafe slot.pointee = { original in
      guard let world = JobCapture.current else { return original() }
      return unsafe unsafeBitCast(world.mainExecutor.asUnownedSerialExecutor(), to: Words.self)
    }
    return true
  }()
}
