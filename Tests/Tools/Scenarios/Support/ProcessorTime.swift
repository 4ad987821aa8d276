import Foundation

/// The time for which the threads of this process have used a core, together. Other programs on the machine hardly change it.
enum ProcessorTime {
  static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
