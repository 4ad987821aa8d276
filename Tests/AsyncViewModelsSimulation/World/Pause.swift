#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Real time, for a run that has failed already.
enum Pause {
  static func millisecond() { _ = usleep(1_000) }
}
