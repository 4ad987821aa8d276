#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the runtime says about a job: whose it is, and whether it only resumes somebody else.
struct JobIdentity {
  /// The number of the job's task, the same in every job of that task and never used again; 0 for a job without a task.
  let task: UInt64

  /// Whether the job does nothing but resume a continuation, as `Task.yield()` and `Task.sleep` leave it behind.
  let resumesContinuation: Bool

  init(_ job: UnownedJob) {
    let address = unsafe unsafeBitCast(job, to: UnsafeRawPointer.self)
    // Metadata, reference count and two words for the scheduler come first; the kind is the lowest byte of the flags.
    let kind = unsafe address.load(fromByteOffset: 4 * MemoryLayout<Int>.size, as: UInt32.self) & 0xFF
    task = kind == Self.taskKind ? unsafe Self.taskNumber(address) : 0
    resumesContinuation = kind == Self.continuationKind
  }

  private static let taskKind: UInt32 = 0
  private static let continuationKind: UInt32 = 195

  private static let taskNumber: @convention(c) (UnsafeRawPointer) -> UInt64 = {
    guard let symbol = unsafe Symbols.address(of: "swift_task_getJobTaskId") else {
      preconditionFailure(
        "the concurrency runtime does not say whose a job is: swift_task_getJobTaskId is missing")
    }
    return unsafe unsafeBitCast(symbol, to: (@convention(c) (UnsafeRawPointer) -> UInt64).self)
  }()
}
