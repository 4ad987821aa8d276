/// The runtime's information about a job: its task, and whether it only resumes a continuation.
struct JobIdentity {
  /// The id of the task, which is the same in all its jobs and never reused. 0 for a job without a
  /// task.
  let task: UInt64

  /// Whether the job only resumes a continuation. `Task.yield()` and `Task.sleep` enqueue such
  /// jobs.
  let resumesContinuation: Bool

  /// The address of the plain actor whose waiting jobs this job runs. 0 for any other job.
  let drainedActor: UInt

  init(_ job: UnownedJob) {
    let address = unsafe unsafeBitCast(job, to: UnsafeRawPointer.self)
    // Layout: metadata, reference count, two scheduler words, then the flags. The kind is their
    // lowest byte.
    let kind = unsafe address.load(fromByteOffset: 4 * MemoryLayout<Int>.size, as: UInt32.self) & 0xFF
    task = kind == Self.taskKind ? unsafe Self.taskNumber?(address) ?? 0 : 0
    resumesContinuation = kind == Self.continuationKind
    // The address of the actor follows the 64 bytes of the job.
    drainedActor = kind == Self.drainKind ? unsafe address.load(fromByteOffset: 64, as: UInt.self) : 0
  }

  private static let taskKind: UInt32 = 0
  private static let drainKind: UInt32 = 193
  private static let continuationKind: UInt32 = 195

  /// Returns the task of a job. Not a `static let`, whose every use calls `swift_once` on Linux.
  ///
  /// Written before the hooks are installed, and then only read.
  @exclusivity(unchecked)
  nonisolated(unsafe) private static var taskNumber: (@convention(c) (UnsafeRawPointer) -> UInt64)?

  /// Looks up the function that knows the task of a job. Returns false if there is none.
  static func findTaskNumber() -> Bool {
    unsafe taskNumber = Symbols.address(of: "swift_task_getJobTaskId").map {
      unsafe unsafeBitCast($0, to: (@convention(c) (UnsafeRawPointer) -> UInt64).self)
    }
    return unsafe taskNumber != nil
  }
}
