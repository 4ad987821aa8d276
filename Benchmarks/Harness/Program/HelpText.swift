/// What `--help` prints.
package struct HelpText: Sendable {
  /// An option that only one program has: the flag, its value, and the meaning of both, in one or more lines.
  package typealias Option = (flag: String, value: String, meaning: String)

  /// What a user types to run the program, without options.
  let command: String
  private let commands: [String]
  private let purpose: String
  private let ownOptions: [Option]

  /// - Parameter commands: Other commands of the program, one line each.
  package init(command: String, commands: [String] = [], purpose: String, ownOptions: [Option] = []) {
    self.command = command
    self.commands = commands
    self.purpose = purpose
    self.ownOptions = ownOptions
  }

  var ownFlags: [String] { ownOptions.map(\.flag) }

  package var usage: String {
    let indentation = "\n" + String(repeating: " ", count: 20)
    let ownLines = ownOptions.map { option in
      "  " + "\(option.flag) \(option.value)".padding(toLength: 18)
        + option.meaning.replacing("\n", with: indentation)
    }
    return
      (["USAGE: \(command) [OPTIONS]"] + commands.map { "       \($0)" }
      + ["", purpose, "", "OPTIONS:", Self.options] + ownLines + [Self.help, "", Self.exitCodes])
      .joined(separator: "\n")
  }

  private static let options = """
      --all             print all results; without --all, --filter and --check, a run prints a summary of one screen
      --quick           measure for \(Quantity.wait(Mode.quick.total)) or a little more, instead of \(Quantity.wait(Mode.full.total)); longer on a busy machine
      --samples N       take at least N samples of each variant, however long that takes
      --filter TEXT     measure only names that contain TEXT, ignoring case: 'section / title / variant'. '*' stands
                        for any text. Can be repeated, to measure the names that contain one of several texts.
      --list            print all names and exit
      --check           measure only what the targets need; if a target falls short, measure it twice more and
                        use the middle result; exit with code 1 if a target still falls short
      --baseline FILE   compare with the --json file of an earlier run; exit with code 1 on a regression
      --json FILE       write the results to FILE
      --markdown FILE   write the results to FILE, as Markdown tables
      --html FILE       write the results to FILE, as a self-contained page with charts
      --pictures FOLDER write charts of the measured stages and of scaling into FOLDER, as SVG files
      --update FILE     write the results of the targets into FILE, between \(MarkedSection.performance.begin) and
                        \(MarkedSection.performance.end). An interrupted run leaves FILE unchanged.
                        Can be repeated.
    """

  private static let help = "  --help            print this help and exit"

  private static let exitCodes = """
    Exit codes: 0 measured · 1 a benchmark failed, a target falls short (--check), a variant became slower
    (--baseline), or the results cannot be printed · 2 bad usage or bad input · 130 interrupted (Ctrl-C), after the
    results so far are printed.
    """
}

extension String {
  fileprivate func padding(toLength length: Int) -> String {
    self + String(repeating: " ", count: max(1, length - count))
  }
}
