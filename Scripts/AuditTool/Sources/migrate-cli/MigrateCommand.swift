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
      Prints the changes as a diff. With `--write`, writes all files or none. The files and folders are the
      scope: name the callers, too, because a step changes them or looks at them. A second run changes nothing.
      A type that a step cannot change is refused with the reason. A comment `TODO: [migrate]` stands at each
      place that a person has to decide.

      Exit codes: 0 changes, or nothing to do · 1 something was refused · 2 bad usage.
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
    parsing: .upToNextOption, help: "Changes only these types, also if they are not named like a view model.")
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
    do {
      let migration = try Migration(chosen, paths: paths, only: Set(only))
      if write { try migration.write() }
      print(migration.diff, terminator: "")
      fflush(nil)
      for (subject, refusal) in migration.refused {
        let place = refusal.place.map { "\($0.path):\($0.line):\($0.column): " } ?? ""
        say("\(place)refused: \(subject): \(refusal.reason)")
      }
      let names = migration.changed.isEmpty ? "nothing" : migration.changed.joined(separator: ", ")
      say(
        "\(chosen.name): \(write ? "changed" : "would change") \(names); \(migration.refused.count) refused, "
          + "\(migration.decisions) to decide")
      if !migration.refused.isEmpty { throw ExitCode(1) }
    } catch let refusal as Refusal {
      say("refused: \(refusal.reason)")
      throw ExitCode(1)
    }
  }
}

private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
