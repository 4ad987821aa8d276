#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How often the system switched from a thread of this process to something else.
enum ContextSwitches {
  /// Since the process began, of all its threads, whether they waited or were preempted. `nil` where it does not tell.
  static var process: Int? {
    var usage = rusage()
    #if canImport(Glibc)
      let status = unsafe getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
    #else
      let status = unsafe getrusage(RUSAGE_SELF, &usage)
    #endif
    return status == 0 ? Int(usage.ru_nvcsw) + Int(usage.ru_nivcsw) : nil
  }
}
