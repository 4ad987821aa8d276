import AsyncViewModelsCommandLine

/// What the command line asks for.
struct Options: Equatable {
  /// What to do. If the command line asks for several actions, the first of these cases wins.
  enum Action: Equatable {
    case help
    case list
    case measure
  }

  private(set) var action = Action.measure
  private(set) var mode = Mode.full
  /// The texts that select the measured names; empty for all names.
  private(set) var filters: [String] = []
  /// The files for the results as JSON, as Markdown tables, and as an HTML page.
  private(set) var json: String?
  private(set) var markdown: String?
  private(set) var html: String?
  /// The folder for the charts.
  private(set) var pictures: String?
  /// The Markdown pages into which the program writes the results of the targets, between markers.
  private(set) var pages: [String] = []
  /// The file with the results of an earlier run.
  private(set) var baseline: String?
  /// Whether the run prints all results instead of a summary.
  private(set) var isAll = false
  /// Whether the run measures only what the targets need, and fails if one of them falls short.
  private(set) var isCheck = false
  /// The values of the options that only this program has, by flag.
  private(set) var ownValues: [String: String] = [:]

  /// The flags of the files that the run writes, with their paths.
  var outputs: [(flag: String, path: String?)] {
    [("--json", json), ("--markdown", markdown), ("--html", html)] + pages.map { ("--update", $0) }
  }

  /// The arguments that decide what is measured, for reports. Files are left out: a path of one machine means nothing on another.
  var measuringArguments: [String] {
    var arguments = filters.flatMap { ["--filter", $0] }
    if mode.minimumSamples > 1 { arguments += ["--samples", "\(mode.minimumSamples)"] }
    if mode.name == Mode.quick.name { arguments.append("--quick") }
    if isCheck { arguments.append("--check") }
    if isAll { arguments.append("--all") }
    return arguments
  }

  /// Whether the run prints a summary that fits on one screen. A selection of benchmarks is printed in full.
  var isSummary: Bool { !isAll && !isCheck && filters.isEmpty }

  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - ownFlags: The flags that only this program has. Each of them needs a value.
  /// - Throws: ``UsageError``, which names the argument.
  init(_ arguments: [String], ownFlags: [String] = []) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var samples = 1
    while let flag = try reader.nextFlag() {
      switch flag {
      case "--filter": filters.append(try reader.value())
      case "--json": json = try reader.value()
      case "--markdown": markdown = try reader.value()
      case "--html": html = try reader.value()
      case "--pictures": pictures = try reader.value()
      case "--update": pages.append(try reader.value())
      case "--baseline": baseline = try reader.value()
      case "--samples":
        samples = try reader.value("a number of at least 1") { Int($0).flatMap { $0 > 0 ? $0 : nil } }
      case "--quick": mode = .quick
      case "--check": isCheck = true
      case "--all": isAll = true
      case "--list": if action == .measure { action = .list }
      case "--help", "-h": action = .help
      case _ where ownFlags.contains(flag): ownValues[flag] = try reader.value()
      default: throw .unknownFlag(flag)
      }
    }
    mode.minimumSamples = samples
  }
}
