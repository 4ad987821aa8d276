/// The page of hazards. A section has prose, and between two comments a part that the rules write.
public enum HazardsPage {
  public struct Failure: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  private static let begin = "<!-- Begin: Scripts/audit page writes this part -->"
  private static let end = "<!-- End -->"

  /// The page with the parts of the rules. Fails if the page lacks the section of a rule, or a comment.
  public static func updated(_ page: String, rules: [any Rule]) throws -> String {
    var text = "", title = "", written: Set<String> = [], isSkipping = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false).dropLast(
      page.hasSuffix("\n") ? 1 : 0)
    {
      if line.hasPrefix("### ") { title = String(line.dropFirst(4)) }
      if isSkipping, line.hasPrefix("#"), line.hasPrefix("### ") || line.hasPrefix("## ") {
        throw Failure(description: "the part before '\(line)' has no '\(end)'")
      }
      if line == end {
        guard isSkipping else { throw Failure(description: "'\(title)' has an end without a beginning") }
        isSkipping = false
      }
      if !isSkipping { text += line + "\n" }
      if line == begin {
        let own = rules.filter { $0.section == title }
        if own.isEmpty { throw Failure(description: "no rule has the section '\(title)'") }
        text += "\n" + own.map(entry).joined() + list(own)
        written.insert(title)
        isSkipping = true
      }
    }
    if isSkipping { throw Failure(description: "'\(title)' has no '\(end)'") }
    if let rule = rules.first(where: { !written.contains($0.section) }) {
      throw Failure(description: "\(rule.kind): the page has no section '\(rule.section)' with '\(begin)'")
    }
    return text
  }

  /// A kind with its example. Legacy code that works has only a line of the list.
  private static func entry(_ rule: any Rule) -> String {
    if rule is LegacyRule { return "" }
    return """
      #### \(rule.kind)

      \(wrapped(rule.consequence + " " + rule.why, indent: 0))
      \(wrapped("Instead: \(rule.repair).", indent: 0))
      ```swift
      // Legacy
      \(rule.example)

      // Repair
      \(rule.repaired)
      ```


      """
  }

  private static func list(_ rules: [any Rule]) -> String {
    let legacy = rules.filter { $0 is LegacyRule }
    if legacy.isEmpty { return "" }
    return "Notes:\n\n"
      + legacy.map {
        wrapped("- `\($0.kind)`: \($0.consequence) Instead: \($0.repair).", indent: 0, hanging: 2)
      }
      .joined() + "\n"
  }
}

extension Rule {
  /// The heading of the page at which a reader of a finding begins.
  var anchor: String { self is LegacyRule ? section.replacingOccurrences(of: " ", with: "-") : kind }
}
