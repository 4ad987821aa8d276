import AsyncViewModelsBenchmarkHarness
import Foundation

/// Dispatches to the commands of the executable.
@main
enum Program {
  static func main() async {
    exit(await run(Array(CommandLine.arguments.dropFirst())))
  }

  static let helpText = HelpText(
    command: "swift run -c release Benchmarks",
    commands: [
      "swift run -c release Benchmarks matrix [OPTIONS]   (what each stage can do; see matrix --help)",
      "swift run -c release Benchmarks frames [OPTIONS]   (a screen whose state changes often; see frames --help)",
      "swift run -c release Benchmarks demo [OPTIONS]     (a storefront in the terminal; see demo --help)",
    ],
    purpose: """
      Measures what the closure, stream and async stage of each view model cost on this machine, and the parts behind
      them.
      """,
    ownOptions: [
      (
        ServerProgram.catalogFlag, "FILE",
        """
        serve the products in FILE instead of the seeded catalog. FILE is JSON, a list of products like
        {"id": 1, "name": "Oak Lamp", "price": {"minorUnits": 1990, "currency": "EUR"}, "stock": 12},
        with unique ids, or an object with this list in the field "products".
        """
      )
    ])

  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    switch arguments.first {
    case MatrixOptions.command: await MatrixProgram.run(Array(arguments.dropFirst()))
    case DemoOptions.command: await DemoProgram.run(Array(arguments.dropFirst()))
    case FramesProgram.command: await FramesProgram.run(Array(arguments.dropFirst()))
    case ServerProgram.command: ServerProgram.run(Array(arguments.dropFirst()))
    default: await measuring.run(arguments)
    }
  }

  private static let measuring = BenchmarkProgram(helpText) { ownValues in
    let path = ownValues[ServerProgram.catalogFlag]
    let server = ServerProcess(catalogPath: path)
    return BenchmarkSuite(
      groups: BenchmarkSuite.groups(server: server, catalog: try ServerProgram.catalog(at: path)),
      targets: Targets.all, startServer: { try server.start() }, stopServer: { server.stop() })
  }
}
