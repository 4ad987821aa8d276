#if canImport(Darwin)
  import Darwin

  /// The bytes that the process has allocated with `malloc` and not freed.
  enum HeapSize {
    /// The number of bytes, exact except for the caches of threads.
    static var bytes: Int? {
      var statistics = malloc_statistics_t()
      unsafe malloc_zone_statistics(nil, &statistics)
      return Int(statistics.size_in_use)
    }
  }
#endif
