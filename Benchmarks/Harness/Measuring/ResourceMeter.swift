/// Measures the ``Footprint`` between its creation and ``footprint()``.
///
/// - Linux: Resets and reads the kernel's high-water mark of memory, so it misses no peak. It counts the threads whose CPU
///   time grew, so idle workers of an earlier variant do not count.
/// - macOS: Reads the memory and the number of threads between samples. It misses a peak within a sample, and counts idle
///   workers.
/// - Other platforms: Measures nothing.
///
/// Use only one meter at a time, because the high-water mark belongs to the process.
#if os(Linux)
  struct ResourceMeter {
    private let residentBefore: Int?
    private let threadsBefore: [String: Int]

    init() {
      ProcessStatus.returnFreeMemory()
      let couldReset = ProcessStatus.resetHighWaterMark()
      residentBefore = couldReset ? ProcessStatus.bytes(of: "VmRSS") : nil
      threadsBefore = ProcessStatus.nanosecondsByThread()
    }

    mutating func look() {}

    func footprint() -> Footprint {
      let peak = ProcessStatus.bytes(of: "VmHWM")
      let active = ProcessStatus.nanosecondsByThread().count { thread, nanoseconds in
        nanoseconds > threadsBefore[thread, default: 0]
      }
      return Footprint(
        memory: residentBefore.flatMap { before in peak.map { max(0, $0 - before) } },
        threads: active > 0 ? active : nil)
    }
  }
#elseif os(macOS)
  struct ResourceMeter {
    private let footprintBefore = TaskInfo.physicalFootprint
    private var peak = Footprint()

    init() {}

    mutating func look() {
      let memory = TaskInfo.physicalFootprint.flatMap { now in footprintBefore.map { max(0, now - $0) } }
      peak.formMaximum(Footprint(memory: memory, threads: TaskInfo.threadCount))
    }

    func footprint() -> Footprint { peak }
  }
#else
  struct ResourceMeter {
    mutating func look() {}

    func footprint() -> Footprint { Footprint() }
  }
#endif

/// The resources that a variant used between its set-up and its teardown. A resource is `nil` if the platform
/// does not report it.
struct Footprint: Equatable, Sendable {
  /// The memory at the peak, in bytes above the memory before the set-up.
  var memory: Int?
  /// The number of threads that ran.
  var threads: Int?

  /// Sets each resource to the larger of its own value and its value in `other`.
  mutating func formMaximum(_ other: Footprint) {
    memory = [memory, other.memory].compactMap(\.self).max()
    threads = [threads, other.threads].compactMap(\.self).max()
  }
}
