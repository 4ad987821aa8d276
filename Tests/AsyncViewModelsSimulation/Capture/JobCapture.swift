import AsyncViewModels
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Takes the jobs that are enqueued on a world's thread out of the hands of the global executor, and leaves every other job of the
/// process alone.
///
/// A world belongs to one thread, and everything that its tasks do happens there; whose a job is can thus be told by the thread that
/// enqueues it. A task of a world that is enqueued by another thread has left the world: that is told to the world.
enum JobCapture {
  private typealias Original = @convention(c) (UnsafeRawPointer) -> Void
  private typealias Hook = @convention(c) (UnsafeRawPointer, Original) -> Void

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()

  private static let worlds = Mutex<[ObjectIdentifier: SimulatedWorldCore]>([:])
  private static let worldCount = Atomic(0)

  /// The world that this thread runs, if any.
  static var current: SimulatedWorldCore? {
    unsafe pthread_getspecific(key).map {
      unsafe Unmanaged<SimulatedWorldCore>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Runs `body` with this thread's new jobs going to `core`.
  static func capturing<Result>(for core: SimulatedWorldCore, _ body: () -> Result) -> Result {
    precondition(current == nil, "simulate: a world cannot run within another one")
    worlds.withLock { $0[ObjectIdentifier(core)] = core }
    worldCount.add(1, ordering: .sequentiallyConsistent)
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(core).toOpaque())
    defer {
      pthread_setspecific(key, nil)
      worldCount.subtract(1, ordering: .sequentiallyConsistent)
      withExtendedLifetime(worlds.withLock { $0.removeValue(forKey: ObjectIdentifier(core)) }) {}
    }
    return body()
  }

  /// Whether a job that this thread enqueues belongs to the process, and not to a world. A world takes what belongs to it.
  static func takes(_ job: UnownedJob) -> Bool {
    if let world = current {
      world.enqueue(job, lane: 0)
      return true
    }
    return worldCount.load(ordering: .relaxed) > 0 && belongsToAWorldElsewhere(job)
  }

  private static func belongsToAWorldElsewhere(_ job: UnownedJob) -> Bool {
    let task = JobIdentity(job).task
    guard task != 0 else { return false }
    return worlds.withLock { $0.values.first { $0.owns(task) } }?.markLeft(by: task) != nil
  }

  /// Why no world can run in this process; nil where one can.
  static let obstacle: String? = {
    guard let hook = unsafe Symbols.address(of: "swift_task_enqueueGlobal_hook") else {
      return "the concurrency runtime has no swift_task_enqueueGlobal_hook"
    }
    let slot = unsafe hook.assumingMemoryBound(to: Hook?.self)
    guard unsafe slot.pointee == nil else {
      return "something else in this process has taken swift_task_enqueueGlobal_hook"
    }
    unsafe slot.pointee = { job, original in
      let unowned = unsafe unsafeBitCast(job, to: UnownedJob.self)
      if !JobCapture.takes(unowned) { unsafe original(job) }
    }
    DefaultExecutorCapture.install()
    MainActorCapture.install()
    return nil
  }()
}
