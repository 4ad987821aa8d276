import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import StorefrontLoopbackServer

/// What the command line of `matrix` asks for.
struct MatrixOptions: Equatable {
  enum Action: Equatable {
    case help
    case probe
  }

  static let command = "matrix"

  var action = Action.probe
  /// Whether to print the table for a page, in place of the one for a terminal.
  var isMarkdown = false
  /// Where to write the findings.
  var json: String?
  /// The page whose marked section to write.
  var page: String?

  /// - Parameter arguments: without the command. `--flag value` and `--flag=value` mean the same; of a repeated flag the last counts.
  /// - Throws: ``UsageError``, which names the argument.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else { throw .unexpectedArgument(argument) }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try read(flag: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : nil, rest: &rest)
    }
  }

  private mutating func read(
    flag: String, value: String?, rest: inout ArraySlice<String>
  ) throws(UsageError) {
    func required() throws(UsageError) -> String {
      guard let value = value ?? rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
        throw .missingValue(flag: flag)
      }
      return value
    }
    func none() throws(UsageError) {
      if value != nil { throw .needlessValue(flag: flag) }
    }
    switch flag {
    case "--json": json = try required()
    case "--update": page = try required()
    case "--markdown":
      try none()
      isMarkdown = true
    case "--help", "-h":
      try none()
      action = .help
    default: throw .unknownFlag(flag)
    }
  }

  static let usage = """
    USAGE: swift run -c release Benchmarks matrix [OPTIONS]

    Tries what the closure, stream and async stage of the view models can do, and prints what it found out: the
    decision matrix. All figures are counts and virtual time, so each run finds the same.

    OPTIONS:
      --markdown        print the table for a page
      --update FILE     write it into FILE, between the markers \(MarkedSection.matrix.begin) and
                        \(MarkedSection.matrix.end)
      --json FILE       write the findings to FILE as well
      --help            print this, and stop

    Exit codes: 0 all probes came to an end · 1 one of them hangs or failed, and is named · 2 bad usage.
    """
}
