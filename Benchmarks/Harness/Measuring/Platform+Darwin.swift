#if canImport(Darwin)
  import Darwin

  enum PlatformConstants {
    /// The argument of `getrusage` for this process.
    static let thisProcess = RUSAGE_SELF
  }
#endif
