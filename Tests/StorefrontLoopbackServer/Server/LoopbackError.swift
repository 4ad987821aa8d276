#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Why an origin cannot be started.
public enum LoopbackError: Error, Equatable, Sendable {
  /// A call to the system failed, with this `errno`.
  case system(call: String, code: Int32)
}

extension LoopbackError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .system(let call, let code): unsafe "\(call) failed: \(String(cString: strerror(code)))"
    }
  }
}
