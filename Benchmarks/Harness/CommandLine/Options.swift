/// What the command line asks for.
struct Options: Equatable {
  /// What to do; with more than one wish, the first of this order wins.
  enum Action: Equatable {
    case help
    case list
    case measure
    /// Hidden: be the HTTP origin of a measuring parent.
    case serveOrigin
  }

  var action = Action.measure
  var mode = Mode.full
  /// A regular expression.
  var filter: String?
  /// Where to write the results.
  var json: String?
  /// The catalogue to serve in place of the seeded one.
  var catalog: String?

  static let serveOriginCommand = "serve-origin"

  /// - Parameter arguments: without the program's name. `--flag value` and `--flag=value` mean the same; of a
  ///   repeated flag the last counts.
  /// - Throws: ``UsageError``, which names the argument.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    if rest.first == Self.serveOriginCommand {
      action = .serveOrigin
      rest.removeFirst()
    }
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
    case "--filter": filter = try required()
    case "--json": json = try required()
    case "--catalog": catalog = try required()
    case "--quick":
      try none()
      mode = .quick
    case "--list":
      try none()
      if action == .measure { action = .list }
    case "--help", "-h":
      try none()
      action = .help
    default: throw .unknownFlag(flag)
    }
  }

  static let usage = """
    USAGE: swift run -c release Benchmarks [OPTIONS]
           swift run -c release Benchmarks matrix [OPTIONS]   (what each stage can do; see matrix --help)

    Measures what the closure, stream and async stage of each view model cost on this machine, and the parts that
    they are made of.

    OPTIONS:
      --quick           a run of at most 40 seconds; a full one takes up to 4 minutes
      --filter REGEX    measure only what matches: 'section / title / variant', in whatever case
      --list            print what can be measured, and stop
      --json FILE       write the results to FILE as well
      --catalog FILE    serve the products in FILE (JSON) instead of the seeded catalogue
      --help            print this, and stop

    Exit codes: 0 measured · 1 a benchmark failed · 2 bad usage or bad input · 130 interrupted (Ctrl-C; what was
    measured until then is printed).
    """
}
