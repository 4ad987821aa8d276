import Foundation

/// The results of a run.
struct Report: Codable, Equatable, Sendable {
  /// The version of the format. Increase it if a reader of the old format cannot read the new format.
  static let currentSchema = 3

  private(set) var schema = Report.currentSchema
  let date: Date
  let machine: Machine
  /// "full" or "quick".
  let mode: String
  /// The command that the user typed.
  let command: String
  /// Whether the user stopped the run early.
  var isInterrupted: Bool
  var groups: [GroupResult]
  /// The targets that the run checked.
  var targets: [TargetResult] = []
  /// The ``CoreShare`` before each section; `nil` in the results of earlier versions.
  var coreShares: [Double]? = nil

  /// What to say about the machine; `nil` if it was quiet for most of the run.
  var busyNote: String? {
    guard let shares = coreShares?.sorted(), !shares.isEmpty else { return nil }
    return CoreShare.note(shares[shares.count / 2])
  }

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
  /// - Throws: ``SchemaError`` if the report has another version of the format, or else a `DecodingError`.
  init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    // A report of another version may decode by chance, with fields of another meaning.
    let found = try decoder.decode(Version.self, from: json).schema
    guard found == Self.currentSchema else { throw SchemaError(found: found) }
    self = try decoder.decode(Report.self, from: json)
  }
}

private struct Version: Decodable {
  let schema: Int
}

/// A report in another version of the format.
struct SchemaError: Error, Equatable, CustomStringConvertible {
  let found: Int

  var description: String { "its schema is \(found), and this version reads schema \(Report.currentSchema)" }
}
