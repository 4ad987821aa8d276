#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Sleeps in real time. Only for a run that is stuck and will fail.
enum Pause {
  static func millisecond() { _ = usleep(1_000) }
}
