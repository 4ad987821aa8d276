#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What all threads of this process together have used so far.
enum ProcessUsage {
  /// The CPU time, in user code and in the kernel.
  static var cpuTime: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  /// How often the system took a thread off its core, because it waited or was preempted. `nil` if the system does
  /// not tell.
  static var contextSwitches: Int? {
    var usage = rusage()
    #if canImport(Glibc)
      let status = unsafe getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
    #else
      let status = unsafe getrusage(RUSAGE_SELF, &usage)
    #endif
    return status == 0 ? Int(usage.ru_nvcsw) + Int(usage.ru_nivcsw) : nil
  }
}
