#if os(Linux)
  import Foundation

  /// What Linux says about this process under `/proc/self`.
  enum ProcessStatus {
    /// Makes `malloc` return free memory to the system. Otherwise, a variant could reuse memory that an
    /// earlier variant freed, and would seem to need less.
    ///
    /// Looks `malloc_trim` up by name: Swift's module of the C library omits it, and not every C library has it.
    static func returnFreeMemory() {
      typealias MallocTrim = @convention(c) (Int) -> CInt
      guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
      _ = unsafe unsafeBitCast(symbol, to: MallocTrim.self)(0)
    }

    /// Sets `VmHWM` to the current `VmRSS`. Returns `false` if the kernel refuses.
    static func resetHighWaterMark() -> Bool {
      let file = unsafe open("/proc/self/clear_refs", O_WRONLY)
      guard file >= 0 else { return false }
      defer { close(file) }
      return unsafe write(file, "5", 1) == 1
    }

    /// The size in a field of `/proc/self/status`, converted from KiB to bytes.
    static func bytes(of field: String) -> Int? {
      guard let status = contents(of: "/proc/self/status") else { return nil }
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(field):") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map {
        $0 * 1024
      }
    }

    /// The CPU time of each live thread in nanoseconds, keyed by thread ID.
    static func nanosecondsByThread() -> [String: Int] {
      // The kernel updates the time of a thread when the thread leaves its core.
      sched_yield()
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      return threads.reduce(into: [:]) { times, thread in
        guard let schedule = contents(of: "/proc/self/task/\(thread)/schedstat") else { return }
        times[thread] = schedule.split(separator: " ").first.flatMap { Int($0) }
      }
    }

    private static func contents(of path: String) -> String? {
      guard let file = FileHandle(forReadingAtPath: path) else { return nil }
      defer { try? file.close() }
      return (try? file.readToEnd()).flatMap { String(decoding: $0, as: UTF8.self) }
    }
  }
#endif
