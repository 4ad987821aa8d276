public import Foundation

/// The reason that a server cannot be started.
public enum LoopbackError: Error, Equatable, Sendable {
  /// A system call failed with this `errno`.
  case system(call: String, code: Int32)
}

extension LoopbackError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .system(let call, let code):
      unsafe "The system call \(call) failed: \(String(cString: strerror(code)))"
    }
  }

  public var errorDescription: String? { description }
}
