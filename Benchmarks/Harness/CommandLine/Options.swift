/// What the command line asks for.
struct Options: Equatable {
  /// What to do; with more than one wish, the first of this order wins.
  enum Action: Equatable {
    case help
    case list
    case measure
    /// Hidden: be the HTTP origin of a measuring parent.
    case serve
  }

  var action = Action.measure
  /// How much time to take, before ``samples`` has its say.
  var mode = Mode.full
  /// How many samples of each variant to take at least, however long that takes.
  var samples: Int?
  /// A regular expression.
  var filter: String?
  /// Where to write the results: all of them, as a table for a page, and as a page of its own.
  var json: String?
  var markdown: String?
  var html: String?
  /// The page between whose markers to write the short table.
  var readme: String?
  /// The results of an earlier run.
  var baseline: String?
  /// Whether only the targets are of interest, and decide the exit code.
  var isCheck = false
  /// The catalogue to serve in place of the seeded one.
  var catalog: String?

  static let serveCommand = "serve"

  /// - Parameters:
  ///   - arguments: without the program's name. `--flag value` and `--flag=value` mean the same; of a repeated flag the
  ///     last counts.
  ///   - ownFlags: what this program has beside the flags of all.
  /// - Throws: ``UsageError``, which names the argument.
  init(
    _ arguments: [String], ownFlags: Set<String> = ["--catalog", Options.serveCommand]
  ) throws(UsageError) {
    var rest = arguments[...]
    if rest.first == Self.serveCommand, ownFlags.contains(Self.serveCommand) {
      action = .serve
      rest.removeFirst()
    }
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else { throw .unexpectedArgument(argument) }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let flag = String(parts[0])
      if flag == "--catalog", !ownFlags.contains(flag) { throw .unknownFlag(flag) }
      try read(flag: flag, value: parts.count > 1 ? String(parts[1]) : nil, rest: &rest)
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
    case "--markdown": markdown = try required()
    case "--html": html = try required()
    case "--readme": readme = try required()
    case "--baseline": baseline = try required()
    case "--samples":
      let text = try required()
      guard let count = Int(text), count > 0 else { throw .notACount(flag: flag, value: text) }
      samples = count
    case "--catalog": catalog = try required()
    case "--quick":
      try none()
      mode = .quick
    case "--check":
      try none()
      isCheck = true
    case "--list":
      try none()
      if action == .measure { action = .list }
    case "--help", "-h":
      try none()
      action = .help
    default: throw .unknownFlag(flag)
    }
  }
}
