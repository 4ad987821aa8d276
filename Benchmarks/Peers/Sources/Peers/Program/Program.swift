import AsyncViewModelsBenchmarkHarness
import Foundation

@main
enum Program {
  static func main() async {
    let program = BenchmarkProgram(
      command: "swift run -c release --package-path Benchmarks/Peers Peers",
      purpose: """
        Measures the same work through this package, OpenCombine, swift-async-algorithms, the standard library and
        hand-written code. If a peer promises something else (no replay, no conflation), its row says so.
        """,
      groups: StateGroups.all + EventGroups.all + HandOffGroups.all + DebounceGroups.all,
      targets: PeerTargets.all)
    exit(await program.run(Array(CommandLine.arguments.dropFirst())))
  }
}
