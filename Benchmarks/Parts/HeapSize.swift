import AsyncViewModels

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// How many bytes the program has asked `malloc` for and not given back.
enum HeapSize {
  /// To the byte, give or take what threads keep for themselves; `nil` where the platform does not tell.
  static var bytes: Int? {
    #if canImport(Darwin)
      var statistics = malloc_statistics_t()
      unsafe malloc_zone_statistics(nil, &statistics)
      return Int(statistics.size_in_use)
    #elseif canImport(Glibc)
      return report.flatMap(bytes(in:))
    #else
      return nil
    #endif
  }

  #if canImport(Glibc)
    /// What glibc says about its arenas, as XML. Looked up by name: Swift's module of the C library leaves `malloc_info` out.
    private static var report: String? {
      typealias MallocInfo = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
      guard let symbol = unsafe dlsym(nil, "malloc_info") else { return nil }
      var (text, length): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
      guard let stream = unsafe open_memstream(&text, &length) else { return nil }
      let status = unsafe unsafeBitCast(symbol, to: MallocInfo.self)(0, stream)
      unsafe fclose(stream)
      defer { unsafe free(text) }
      guard status == 0, let text = unsafe text else { return nil }
      return unsafe String(cString: text)
    }

    /// The totals stand at the end: what the arenas hold, less what of it is free, and what was mapped for itself.
    private static func bytes(in report: String) -> Int? {
      func last(_ start: String) -> Int? {
        guard let line = report.split(separator: "\n").last(where: { $0.hasPrefix(start) }),
          let size = line.firstMatch(of: /size="([0-9]+)"/)
        else { return nil }
        return Int(size.1)
      }
      guard let held = last("<system type=\"current\""), let fast = last("<total type=\"fast\""),
        let rest = last("<total type=\"rest\"")
      else { return nil }
      return held - fast - rest + (last("<total type=\"mmap\"") ?? 0)
    }
  #endif
}
