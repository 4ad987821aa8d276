import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Foundation
import StorefrontLoopbackServer

/// From the command line to the table.
enum Program {
  static let helpText = HelpText(
    command: "swift run -c release Benchmarks",
    commands: [
      "swift run -c release Benchmarks matrix [OPTIONS]   (what each stage can do; see matrix --help)"
    ],
    purpose: """
      Measures what the closure, stream and async stage of each view model cost on this machine, and the parts that
      they are made of.
      """,
    ownOptions: [
      "  --catalog FILE    serve the products in FILE (JSON) instead of the seeded catalogue"
    ])

  /// - Returns: the exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    if arguments.first == MatrixOptions.command {
      return await MatrixProgram.run(Array(arguments.dropFirst()))
    }
    do {
      let options = try Options(arguments)
      switch options.action {
      case .help: print(helpText.usage)
      case .list: try selection(options).forEach(list)
      case .serve: try ServerProgram.run(catalog: options.catalog)
      case .measure: return try await measure(options, arguments: arguments)
      }
      return 0
    } catch let error as UsageError {
      say("error: \(error)\n\n\(helpText.usage)\n")
      return 2
    } catch let error as CatalogError {
      say("error: \(error)\n")
      return 2
    } catch {
      say("error: \(error)\n")
      return 1
    }
  }

  private static func measure(_ options: Options, arguments: [String]) async throws -> Int32 {
    let server = ServerProcess(catalog: options.catalog)
    let session = try Session(
      options, command: ([helpText.command] + arguments).joined(separator: " "),
      groups: groups(options, server: server), targets: Targets.all)
    if Machine.isDebugBuild { say(Report.debugWarning + "\n") }
    if session.usesServer { try server.start() }
    defer { server.stop() }
    return try await session.run()
  }

  private static func groups(_ options: Options, server: ServerProcess) throws -> [BenchmarkGroup] {
    let catalog = try options.catalog.map { try Catalog.load(contentsOf: $0) } ?? .seeded()
    return BenchmarkSuite.groups(server: server, catalog: catalog)
  }

  private static func selection(_ options: Options) throws -> [BenchmarkGroup] {
    let groups = try groups(options, server: ServerProcess(catalog: nil))
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
