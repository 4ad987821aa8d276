/// Why a program refuses its command line. Each case names what the user wrote.
package enum UsageError: Error, Equatable {
  case unknownFlag(String)
  case unexpectedArgument(String)
  case missingValue(flag: String)
  case needlessValue(flag: String)
  case invalidValue(flag: String, value: String, expected: String)
  case nothingSelected(flag: String, value: String)
  case conflict(flag: String, other: String)
  case missingFlag(String, for: String)
  case sameFile(flag: String, other: String, path: String)
  case unreadable(path: String, reason: String)
  case unwritable(path: String, reason: String)
  case noMarkers(path: String, marker: String)
  /// The reason names the file and the place in it.
  case invalidFile(reason: String)
  case noTerminal(reason: String)
}

extension UsageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownFlag(let flag): "unknown flag '\(flag)'"
    case .unexpectedArgument(let argument): "unexpected argument '\(argument)'"
    case .missingValue(let flag): "\(flag) needs a value"
    case .needlessValue(let flag): "\(flag) takes no value"
    case .invalidValue(let flag, let value, let expected): "\(flag) needs \(expected), not '\(value)'"
    case .nothingSelected(let flag, let value): "\(flag) '\(value)' selects nothing; --list shows all names"
    case .conflict(let flag, let other): "\(flag) and \(other) cannot be combined"
    case .missingFlag(let flag, let other): "\(other) needs \(flag)"
    case .sameFile(let flag, let other, let path): "\(flag) and \(other) name the same file, '\(path)'"
    case .unreadable(let path, let reason): "cannot read '\(path)': \(reason)"
    case .unwritable(let path, let reason): "cannot write to '\(path)': \(reason)"
    case .noMarkers(let path, let marker): "'\(path)' has no section that begins with \(marker)"
    case .invalidFile(let reason): reason
    case .noTerminal(let reason): "the demo needs a terminal, but \(reason); --script needs none"
    }
  }
}
