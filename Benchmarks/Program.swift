import Foundation

/// From the command line to the table.
enum Program {
  /// - Returns: the exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    do {
      let options = try Options(arguments)
      switch options.action {
      case .help: print(Options.usage)
      case .list: try selection(options).forEach(list)
      case .serveOrigin: break
      case .measure: return try await measure(options)
      }
      return 0
    } catch {
      say("error: \(error)\n\n\(Options.usage)\n")
      return 2
    }
  }

  private static func measure(_ options: Options) async throws -> Int32 {
    let groups = try selection(options)
    let output = try options.json.map { path in try OutputFile(path: path) }
    if Machine.isDebugBuild { say(Report.debugWarning + "\n") }

    let stop = StopSignal()
    let interruption = Interruption(raising: stop)
    defer { interruption.cancel() }
    let progress = ProgressLine()
    let runner = Runner(mode: options.mode, stop: stop) { progress.show($0) }
    let results = await runner.run(groups)
    progress.clear()

    let report = Report(
      date: Date(), machine: .current, mode: options.mode.name, isInterrupted: stop.isRaised, groups: results)
    print(report.table())
    try output?.write(report.json())
    return report.isInterrupted ? 130 : report.hasFailures ? 1 : 0
  }

  private static func selection(_ options: Options) throws -> [BenchmarkGroup] {
    let groups = Suite.groups()
    guard let pattern = options.filter else { return groups }
    return try Filter(pattern).selection(of: groups)
  }

  private static func list(_ group: BenchmarkGroup) {
    for benchmark in group.benchmarks { print(group.name(of: benchmark)) }
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
