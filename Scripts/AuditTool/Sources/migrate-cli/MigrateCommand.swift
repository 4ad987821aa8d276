import ArgumentParser
import Commands
import Foundation
import Migration

@main
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Applies one step of the guide to view models and services.",
    discussion: """
      Prints the changes as a diff. With `--write`, writes all files or none. The files and folders are the \
      scope: name the callers, too, because a step changes them or looks at them. A second run changes nothing. \
      A type that a step cannot change is refused with the reason. A file that cannot be read, or has a syntax \
      error, is skipped. A comment `TODO: [migrate]` stands at each place that a person has to decide.

      Exit codes: 0 changes, or nothing to do · 1 something was refused or skipped · 2 bad usage, such as the \
      name of a type that is in no file.
      """)

  @Argument(help: "The step. `--list` explains all steps.")
  var step: String?
  @Argument(help: "Swift files and folders.")
  var paths: [String] = []
  @Flag(help: "Explains the steps.")
  var list = false
  @Flag(help: "Writes the changes.")
  var write = false
  @Option(
    help: "Changes only this type, also if it is not named like a view model. Can be repeated.")
  var only: [String] = []

  static func main() { runAndExit() }

  private var chosen: (any Step)? { steps.first { $0.name == step } }

  func validate() throws {
    if list { return }
    guard let step else { throw ValidationError("name a step; --list explains all steps") }
    guard chosen != nil else {
      throw ValidationError("there is no step '\(step)'; --list explains all steps")
    }
    try Commands.validate(paths: paths)
  }

  func run() throws {
    guard !list, let chosen else {
      for step in steps { print("\(step.name): \(step.summary) See \(step.page).") }
      return
    }
    let migration = Migration(chosen, paths: paths, only: Set(only))
    if migration.paths.isEmpty, migration.skipped.isEmpty {
      throw ValidationError("there is no Swift file in '\(paths.joined(separator: " "))'")
    }
    guard migration.unknown.isEmpty else {
      let names = migration.unknown.map { "'\($0)'" }.joined(separator: ", ")
      let found = migration.paths.prefix(3).joined(separator: ", ")
      let others = migration.paths.count > 3 ? " and \(migration.paths.count - 3) more files" : ""
      let skipped = migration.skipped.map { "\nskipped: \($0)" }.joined()
      throw ValidationError("there is no type \(names) in \(found)\(others)\(skipped)")
    }
    do {
      if write { try migration.write() }
    } catch {
      say("refused: \(error.reason)\n")
      throw ExitCode(1)
    }
    print(migration.diff, terminator: "")
    fflush(nil)
    say(migration.report(isWritten: write))
    if migration.isIncomplete { throw ExitCode(1) }
  }
}

private func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
