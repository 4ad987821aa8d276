import ArgumentParser
import Audit
import Commands
import Foundation
import Migration

/// `audit plan PATH …`
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract:
      "Plans the migration: view models, services, an order that ships after each step, and its cost.",
    discussion: """
      Prints one page. Each name of a step is a page of the guide. Lines are those that a change touches, each once.

      Exit codes: 0 there is a plan · 2 a file cannot be read or has syntax errors, or bad usage.
      """)

  @Argument(help: "Swift files and folders.")
  var paths: [String] = []
  @Flag(help: "Prints each entry in full.")
  var all = false
  @Flag(help: "Prints JSON with all parts of the numbers.")
  var json = false

  func validate() throws { try Commands.validate(paths: paths) }

  func run() throws {
    let plan: Plan
    do {
      plan = try Plan(of: paths) { migrations(of: $1, in: $0) }
    } catch {
      throw ValidationError("\(error)")
    }
    print(json ? plan.json + "\n" : plan.text(isComplete: all), terminator: "")
    for problem in plan.problems { FileHandle.standardError.write(Data("error: \(problem)\n".utf8)) }
    if !plan.problems.isEmpty { throw ExitCode(2) }
  }
}
