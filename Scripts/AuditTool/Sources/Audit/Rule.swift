import SwiftSyntax

public enum Severity: String, Sendable, Comparable {
  /// A person will see what goes wrong: open a ticket.
  case hazard
  /// Legacy code that works: migrate it some time.
  case note

  public static func < (left: Severity, right: Severity) -> Bool { left == .hazard && right == .note }
}

/// One kind of hazard: how to find it, and what to tell about it.
public protocol Rule: Sendable {
  /// The name of the kind, in words with hyphens.
  var kind: String { get }
  var severity: Severity { get }
  /// All severities that its findings can have, the usual one first.
  var severities: [Severity] { get }
  /// What happens to a person, in one sentence.
  var consequence: String { get }
  /// Why it happens.
  var why: String { get }
  /// A short example with the hazard.
  var example: String { get }
  /// What to do instead, in one line.
  var repair: String { get }
  /// The same example, repaired.
  var repaired: String { get }
  /// The section of the hazards page.
  var section: String { get }

  func check(_ file: SourceFile, in project: Project) -> [Finding]
}

extension Rule {
  public var severity: Severity { .hazard }
  public var severities: [Severity] { [severity] }

  /// Makes a finding. `severity` defaults to that of the rule.
  public func finding(
    _ message: String, at place: Place, _ others: [Place] = [], severity: Severity? = nil
  ) -> Finding {
    Finding(
      kind: kind, severity: severity ?? self.severity,
      // Code in a message can have several lines.
      message: message.split(whereSeparator: \.isWhitespace).joined(separator: " "), place: place,
      // A place can have two reasons.
      others: others.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
  }
}

public struct Finding: Hashable, Sendable {
  public let kind: String
  public let severity: Severity
  /// One sentence that names the identifiers.
  public let message: String
  public let place: Place
  /// The places that make the hazard, such as the read, the await and the write.
  public let others: [Place]

  var asNote: Finding {
    Finding(kind: kind, severity: .note, message: message, place: place, others: others)
  }
}
