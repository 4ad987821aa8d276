import Foundation

/// All that a run found out.
struct Report: Codable, Equatable, Sendable {
  /// Goes up when a reader of the older form could no longer understand the newer one.
  var schema = 2
  let date: Date
  let machine: Machine
  /// "full" or "quick".
  let mode: String
  /// What was typed to get it.
  let command: String
  /// Whether the run was stopped before its end.
  let isInterrupted: Bool
  let groups: [GroupResult]
  /// The claims, and what became of them. Empty where none was checked.
  var targets: [TargetResult] = []

  var hasFailures: Bool { groups.contains { !$0.failures.isEmpty } }

  /// What was measured of a variant, by its full name.
  func variant(_ name: String) -> VariantResult? {
    for group in groups {
      if let match = group.measurements.first(where: { group.name(of: $0) == name }) { return match }
    }
    return nil
  }

  /// What one operation of `variant` takes along a curve, in nanoseconds, from its smallest point to its largest.
  func curve(_ curve: String, of variant: String) -> [(x: Int, cost: Double)] {
    groups.compactMap { group in
      guard let point = group.point, point.curve == curve,
        let match = group.measurements.first(where: { $0.variant == variant })
      else { return nil }
      return (point.x, match.time.median)
    }.sorted { $0.x < $1.x }
  }

  /// Whether a variant among those that `need` selects says that its figure is not to be trusted.
  func isUnsteady(_ need: Requirement) -> Bool {
    switch need {
    case .variant(let name): variant(name)?.isUnsteady == true
    case .curve(let curve, let variant):
      groups.contains { group in
        group.point?.curve == curve
          && group.measurements.contains { $0.variant == variant && $0.isUnsteady }
      }
    }
  }

  /// Durations are in nanoseconds per operation, memory in bytes.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(self)
  }

  init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    self = try decoder.decode(Report.self, from: json)
  }

  init(
    date: Date, machine: Machine, mode: String, command: String, isInterrupted: Bool, groups: [GroupResult]
  ) {
    self.date = date
    self.machine = machine
    self.mode = mode
    self.command = command
    self.isInterrupted = isInterrupted
    self.groups = groups
  }

  /// The same run, had it measured this.
  func replacingGroups(with groups: [GroupResult]) -> Report {
    Report(
      date: date, machine: machine, mode: mode, command: command, isInterrupted: isInterrupted, groups: groups
    )
  }
}
