import AsyncViewModelsBenchmarkHarness
import Foundation

@main
enum Program {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == MatrixProgram.command {
      exit(await MatrixProgram.run(Array(arguments.dropFirst())))
    }
    let program = BenchmarkProgram(
      command: "swift run -c release --package-path Benchmarks/Peers Peers",
      purpose: """
        Measures the same work through this package, OpenCombine, swift-async-algorithms, the standard library and
        hand-written code. If a peer promises something else (no replay, no conflation), its row says so.
        """,
      groups: StateGroups.all + EventGroups.all + HandOffGroups.all + DebounceGroups.all + features,
      targets: PeerTargets.all)
    exit(await program.run(arguments))
  }

  /// The view models in Combine, beside the stages.
  private static var features: [BenchmarkGroup] {
    [TypingBenchmarks.group, CartGroup.group, IdleGroup.group]
  }
}
