#if !canImport(Darwin)
  import Foundation

  /// The bytes that the process has allocated with `malloc` and not freed.
  enum HeapSize {
    /// The number of bytes, exact except for the caches of threads; `nil` if the C library is not glibc.
    static var bytes: Int? { report.flatMap(bytes(in:)) }

    /// The state of glibc's arenas, as XML.
    ///
    /// Looks `malloc_info` up by name: Swift's module of the C library omits it.
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

    /// Adds the totals at the end of the report: the arenas without their free parts, and the separate mappings.
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
  }
#endif
