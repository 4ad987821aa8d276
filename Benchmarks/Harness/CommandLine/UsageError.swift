/// Why a command line was refused. Each case names what the user wrote.
enum UsageError: Error, Equatable {
  case unknownFlag(String)
  case unexpectedArgument(String)
  case missingValue(flag: String)
  case needlessValue(flag: String)
  case invalidRegex(String, reason: String)
  case nothingSelected(filter: String)
  case unwritable(path: String, reason: String)
  case unreadable(path: String, reason: String)
  case unmarked(path: String, marker: String)
  case notACount(flag: String, value: String)
}

extension UsageError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknownFlag(let flag): "unknown flag '\(flag)'"
    case .unexpectedArgument(let argument): "unexpected argument '\(argument)'"
    case .missingValue(let flag): "\(flag) needs a value"
    case .needlessValue(let flag): "\(flag) takes no value"
    case .invalidRegex(let pattern, let reason): "'\(pattern)' is not a regular expression: \(reason)"
    case .nothingSelected(let filter): "no benchmark matches '\(filter)'; --list shows all of them"
    case .unwritable(let path, let reason): "cannot write to '\(path)': \(reason)"
    case .unreadable(let path, let reason): "cannot read '\(path)': \(reason)"
    case .unmarked(let path, let marker): "'\(path)' has no section that begins with \(marker), and its end"
    case .notACount(let flag, let value): "\(flag) needs a number of at least 1, not '\(value)'"
    }
  }
}
