import AsyncViewModelsBenchmarkHarness
import Foundation

/// Measures what it costs an app that a generic view model is in another module than the type of its items.
@main
enum Speed {
  static func main() async {
    let program = BenchmarkProgram(
      command: "swift run -c release --package-path Tests/Consumer Speed",
      purpose: """
        Reads the states of the storefront's generic view models, with items of a type of this app. Compares the times with
        those of view models that are code of this app.
        """,
      groups: StateRead.all.map(\.group),
      targets: StateRead.all.map(\.target))
    exit(await program.run(Array(CommandLine.arguments.dropFirst())))
  }
}
