import ArgumentParser
import Audit
import Commands
import Foundation

struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract:
      "Finds code that fails in the hands of a person: races, missing answers, screens that never go away.",
    discussion: """
      A hazard is worth a ticket. A note is legacy code that works. A comment `// audit:ignore KIND reason` on the line of a finding, or \
      alone on a line before it, leaves the finding out. Files that import a test framework, \
      and files and folders that are named like tests or mocks, are left out.

      Exit codes: 0 no finding of the severity of `--fail-on` (default: never) · 1 there is one · 2 bad usage, or there is \
      none, but a file or a comment cannot be read, or a file has syntax errors (not with `--fail-on never`).
      """)

  enum Failing: String, ExpressibleByArgument, CaseIterable { case hazard, note, never }

  @Argument(help: "Swift files and folders.")
  var paths: [String] = []
  @Flag(help: "Lists the kinds of findings.")
  var list = false
  @Flag(help: "Prints each note, not only their number.")
  var notes = false
  @Flag(help: "Prints only how many findings each kind has.")
  var summary = false
  @Flag(help: "Prints JSON.")
  var json = false
  @Flag(help: "Prints SARIF 2.1.0, for code review tools.")
  var sarif = false
  @Flag(help: "Prints `file:line:column: warning: …` lines, for Xcode.")
  var lines = false
  @Option(help: "A file with known findings, which are left out. It is written if it does not exist.")
  var baseline: String?
  @Option(help: "The severity that fails the command: hazard, note or never.")
  var failOn = Failing.never
  @Option(help: "Searches only for this kind. Can be repeated.")
  var only: [String] = []
  @Flag(help: "Takes the paths as a corpus, and prints recall and false alarms of each kind.")
  var corpus = false

  func validate() throws {
    if let unknown = only.first(where: { name in !rules.contains { $0.kind == name } }) {
      throw ValidationError("there is no kind '\(unknown)'; --list prints all kinds")
    }
    if !list { try Commands.validate(paths: paths) }
  }

  func run() throws {
    let chosen = only.isEmpty ? rules : rules.filter { only.contains($0.kind) }
    if list {
      for rule in chosen {
        let severities = rule.severities.map(\.rawValue).joined(separator: " or ")
        print("\(rule.kind) (\(severities)): \(rule.consequence)")
      }
      return
    }
    if corpus {
      let result = try Corpus(paths).measure(chosen)
      print(result.table(isDetailed: notes))
      return
    }
    var report = Analysis(rules: chosen).run(paths)
    if report.files + report.unchecked == 0, report.problems.isEmpty {
      throw ValidationError("there is no Swift file in '\(paths.joined(separator: " "))'")
    }
    if let baseline {
      do { try report.leaveOutKnown(in: baseline) } catch {
        throw ValidationError(
          "the baseline '\(baseline)' cannot be read or written: \(error.localizedDescription)")
      }
    }
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if json {
      print(report.json)
    } else if sarif {
      print(report.sarif)
    } else if summary {
      print(report.summary, terminator: "")
    } else if lines {
      print(report.lines(showsNotes: notes), terminator: "")
    } else {
      print(report.text(showsNotes: notes, hasColors: isTerminal), terminator: "")
    }
    for problem in report.problems { FileHandle.standardError.write(Data("error: \(problem)\n".utf8)) }
    let fails =
      switch failOn {
      case .never: false
      case .hazard: report.findings.contains { $0.severity == .hazard }
      case .note: !report.findings.isEmpty
      }
    if !report.problems.isEmpty && failOn != .never && !fails { throw ExitCode(2) }
    if fails { throw ExitCode(1) }
  }
}
