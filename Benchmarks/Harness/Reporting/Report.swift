import Foundation

/// All that a run found out.
struct Report: Codable, Equatable, Sendable {
  /// Goes up when a reader of the older form could no longer understand the newer one.
  var schema = 1
  let date: Date
  let machine: Machine
  /// "full" or "quick".
  let mode: String
  /// Whether the run was stopped before its end.
  let isInterrupted: Bool
  let groups: [GroupResult]

  var hasFailures: Bool { groups.contains { !$0.failures.isEmpty } }

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

  init(date: Date, machine: Machine, mode: String, isInterrupted: Bool, groups: [GroupResult]) {
    self.date = date
    self.machine = machine
    self.mode = mode
    self.isInterrupted = isInterrupted
    self.groups = groups
  }
}
