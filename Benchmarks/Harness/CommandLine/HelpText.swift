/// What `--help` prints about a program that measures.
struct HelpText: Sendable {
  /// What is typed to run it, without options: "swift run -c release Benchmarks".
  let command: String
  /// Other things that it can do, one line each.
  var commands: [String] = []
  let purpose: String
  /// Options that only this program has, laid out as the others are.
  var ownOptions: [String] = []

  var usage: String {
    (["USAGE: \(command) [OPTIONS]"] + commands.map { "       \($0)" } + ["", purpose, "", "OPTIONS:"]
      + Self.options + ownOptions + [Self.help, "", Self.exitCodes]).joined(separator: "\n")
  }

  private static let options = [
    "  --quick           a run of at most 40 seconds; a full one takes up to 4 minutes",
    "  --samples N       at least N samples of each variant, however long that takes",
    "  --filter REGEX    measure only what matches: 'section / title / variant', in whatever case",
    "  --list            print what can be measured, and stop",
    "  --check           measure what the targets need, and twice more what falls short: the middle counts; exit",
    "                    code 1 if one of them falls short",
    "  --baseline FILE   compare with what an earlier --json wrote; exit code 1 on a regression",
    "  --json FILE       write the results to FILE as well",
    "  --markdown FILE   the same, as tables for a page",
    "  --html FILE       the same, as a page with charts that needs nothing else",
    "  --readme FILE     write the short table into FILE, between its markers",
  ]

  private static let help = "  --help            print this, and stop"

  private static let exitCodes = """
    Exit codes: 0 measured · 1 a benchmark failed, a target falls short (--check), or something became worse
    (--baseline) · 2 bad usage or bad input · 130 interrupted (Ctrl-C; what was measured until then is printed).
    """
}
