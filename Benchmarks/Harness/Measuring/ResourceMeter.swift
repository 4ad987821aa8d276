/// Measures the ``Footprint`` of what happens between its creation and ``footprint()``.
///
/// - Linux: the kernel's own high-water mark, which is reset first, so no peak is missed; the threads are those whose
///   time on a core went up, so workers that an earlier variant left idle do not count.
/// - macOS: both are looked at between samples; a peak within one sample is missed, and idle workers count.
/// - Elsewhere: neither is known.
///
/// One at a time: the high-water mark belongs to the process.
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
