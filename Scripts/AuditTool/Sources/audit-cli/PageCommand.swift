import ArgumentParser
import Audit
import Foundation

struct PageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Writes the texts and examples of the rules into the page of hazards.",
    discussion: """
      Replaces the part between two comments in each section of the page, and keeps the other text.

      Exit codes: 0 the page is up to date · 1 the page has no section for a rule, or lacks a comment, and is as it was · 2 bad usage.
      """)

  @Argument(help: "The page, Hazards.md.")
  var page: String

  func run() throws {
    guard let old = try? String(contentsOfFile: page, encoding: .utf8) else {
      throw ValidationError("the page '\(page)' cannot be read")
    }
    let new = try HazardsPage.updated(old, rules: rules)
    if new != old { try new.write(toFile: page, atomically: true, encoding: .utf8) }
  }
}
