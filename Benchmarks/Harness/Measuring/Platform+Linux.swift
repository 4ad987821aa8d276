#if !canImport(Darwin)
  import Foundation

  enum PlatformConstants {
    /// The argument of `getrusage` for this process. glibc declares an enumeration, and musl a number.
    #if canImport(Musl)
      static let thisProcess = RUSAGE_SELF
    #else
      static let thisProcess = CInt(RUSAGE_SELF.rawValue)
    #endif
  }
#endif
