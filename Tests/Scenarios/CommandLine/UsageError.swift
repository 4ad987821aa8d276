/// Why a command line was refused. Each case names what the user wrote.
enum UsageError: Error, Equatable {
  case unknownFlag(String)
  case unexpectedArgument(String)
  case missingValue(flag: String)
  case needlessValue(flag: String)
  case unknownScenario(String)
  case unknownStrategy(String)
  case invalidSeeds(String)
  case invalidReplay(String)
  case ambiguousReplay([String])
}

extension UsageError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknownFlag(let flag): "unknown flag '\(flag)'"
    case .unexpectedArgument(let argument): "unexpected argument '\(argument)'"
    case .missingValue(let flag): "\(flag) needs a value"
    case .needlessValue(let flag): "\(flag) takes no value"
    case .unknownScenario(let name): "no scenario is called '\(name)'; --list shows all of them"
    case .unknownStrategy(let name): "no strategy is called '\(name)'"
    case .invalidSeeds(let text): "'\(text)' is neither a number of seeds nor a range of them"
    case .invalidReplay(let text): "'\(text)' is neither a seed nor a path"
    case .ambiguousReplay(let names):
      "a path belongs to one scenario, but \(names.count) are chosen; name it with --scenario"
    }
  }
}
