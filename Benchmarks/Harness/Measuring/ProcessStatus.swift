#if os(Linux)
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// What Linux says about this process under `/proc/self`.
  enum ProcessStatus {
    /// Hands what `malloc` keeps in reserve back to the system. Without that, memory which an earlier variant freed
    /// would be used again unseen, and the later variant would look thrifty.
    ///
    /// Looked up by name: Swift's module of the C library leaves `malloc_trim` out, and not every C library has it.
    static func returnFreeMemory() {
      typealias MallocTrim = @convention(c) (Int) -> CInt
      guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
      _ = unsafe unsafeBitCast(symbol, to: MallocTrim.self)(0)
    }

    /// Sets `VmHWM` to the present `VmRSS`. False where the kernel does not let us.
    static func resetHighWaterMark() -> Bool {
      let file = unsafe open("/proc/self/clear_refs", O_WRONLY)
      guard file >= 0 else { return false }
      defer { close(file) }
      return unsafe write(file, "5", 1) == 1
    }

    /// A size in `/proc/self/status`, which gives it in KiB.
    static func bytes(of field: String) -> Int? {
      guard let status = contents(of: "/proc/self/status") else { return nil }
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(field):") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map {
        $0 * 1024
      }
    }

    /// For each thread that is alive, the time that it has spent on a core.
    static func nanosecondsByThread() -> [String: Int] {
      // The kernel brings a thread's account up to date when it leaves the core: so this one does, briefly.
      sched_yield()
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      return threads.reduce(into: [:]) { times, thread in
        guard let schedule = contents(of: "/proc/self/task/\(thread)/schedstat") else { return }
        times[thread] = schedule.split(separator: " ").first.flatMap { Int($0) }
      }
    }

    /// `String(contentsOfFile:)` trusts the size that a file claims, and files in `/proc` claim none.
    private static func contents(of path: String) -> String? {
      guard let file = FileHandle(forReadingAtPath: path) else { return nil }
      defer { try? file.close() }
      return (try? file.readToEnd()).flatMap { String(decoding: $0, as: UTF8.self) }
    }
  }
#endif
