import Foundation

/// The results of a run.
struct Report: Codable, Equatable, Sendable {
  /// The version of the format. Increase it if a reader of the old format cannot read the new format.
  var schema = 3
  let date: Date
  let machine: Machine
  /// "full" or "quick".
  let mode: String
  /// The command that the user typed.
  let command: String
  /// Whether the user stopped the run early.
  let isInterrupted: Bool
  var groups: [GroupResult]
  /// The targets that the run checked.
  var targets: [TargetResult] = []

  var hasFailures: Bool { groups.contains { !$0.failures.isEmpty } }

  /// The results of the variant with this full name.
  func variant(_ name: String) -> VariantResult? {
    for group in groups {
      if let match = group.measurements.first(where: { group.name(of: $0) == name }) { return match }
    }
    return nil
  }

  /// The nanoseconds per operation of `variant` along a curve, from its smallest point to its largest.
  func curve(_ curve: String, of variant: String) -> [(x: Int, cost: Double)] {
    groups.compactMap { group in
      guard let point = group.point, point.curve == curve,
        let match = group.measurements.first(where: { $0.variant == variant })
      else { return nil }
      return (point.x, match.time.median)
    }.sorted { $0.x < $1.x }
  }

  /// Whether a variant that `requirement` selects is unsteady.
  func isUnsteady(_ requirement: Requirement) -> Bool {
    switch requirement {
    case .variant(let name): variant(name)?.isUnsteady == true
    case .curve(let curve, let variant):
      groups.contains { group in
        group.point?.curve == curve
          && group.measurements.contains { $0.variant == variant && $0.isUnsteady }
      }
    }
  }

  /// The report as JSON, with durations in nanoseconds per operation, and memory in bytes.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

extension Report {
  init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    self = try decoder.decode(Report.self, from: json)
  }
}
