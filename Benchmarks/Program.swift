import Foundation
import ViewModelTesting

/// From the command line to the table.
enum Program {
  /// - Returns: the exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    if arguments.first == MatrixOptions.command {
      return await MatrixProgram.run(Array(arguments.dropFirst()))
    }
    do {
      let options = try Options(arguments)
      switch options.action {
      case .help: print(Options.usage)
      case .list: try selection(options, origin: OriginProcess(catalog: nil)).forEach(list)
      case .serveOrigin: try OriginServer.run(catalog: options.catalog)
      case .measure: return try await measure(options)
      }
      return 0
    } catch let error as UsageError {
      say("error: \(error)\n\n\(Options.usage)\n")
      return 2
    } catch let error as CatalogError {
      say("error: \(error)\n")
      return 2
    } catch {
      say("error: \(error)\n")
      return 1
    }
  }

  private static func measure(_ options: Options) async throws -> Int32 {
    let origin = OriginProcess(catalog: options.catalog)
    let groups = try selection(options, origin: origin)
    let output = try options.json.map { path in try OutputFile(path: path) }
    if Machine.isDebugBuild { say(Report.debugWarning + "\n") }

    if groups.contains(where: \.usesOrigin) { try origin.start() }
    defer { origin.stop() }

    let stop = StopSignal()
    let interruption = Interruption(raising: stop)
    defer { interruption.cancel() }
    let progress = ProgressLine()
    let runner = Runner(mode: options.mode, stop: stop) { progress.show($0) }
    let results = await runner.run(groups)
    progress.clear()

    let report = Report(
      date: Date(), machine: .current, mode: options.mode.name, command: "", isInterrupted: stop.isRaised,
      groups: results)
    print(report.table())
    try output?.write(report.json())
    return report.isInterrupted ? 130 : report.hasFailures ? 1 : 0
  }

  private static func selection(_ options: Options, origin: OriginProcess) throws -> [BenchmarkGroup] {
    let catalog = try options.catalog.map { try Catalog.load(contentsOf: $0) } ?? .seeded()
    let groups = BenchmarkSuite.groups(origin: origin, catalog: catalog)
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
