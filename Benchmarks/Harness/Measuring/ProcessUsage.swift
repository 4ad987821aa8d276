import Foundation

/// What all threads of this process together have used so far.
enum ProcessUsage {
  /// The CPU time, in user code and in the kernel.
  static var cpuTime: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  /// How often the system took a thread off its core, because the thread waited or was preempted. `nil` if
  /// the system does not report it.
  static var contextSwitches: Int? {
    var usage = rusage()
    return unsafe getrusage(PlatformConstants.thisProcess, &usage) == 0
      ? Int(usage.ru_nvcsw) + Int(usage.ru_nivcsw) : nil
  }
}
