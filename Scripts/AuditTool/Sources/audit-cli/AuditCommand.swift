import ArgumentParser
import Commands

@main
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Finds code that fails in the hands of a person, and plans a migration.",
    discussion: """
      `audit PATH …` is `audit find PATH …`; `audit find --help` explains its options. Write `./find` for a \
      folder with the name of a subcommand. All subcommands exit with 2 for bad usage.
      """,
    subcommands: [
      FindCommand.self,
      PageCommand.self,
      PlanCommand.self,
    ],
    defaultSubcommand: FindCommand.self)

  static func main() { runAndExit() }
}
