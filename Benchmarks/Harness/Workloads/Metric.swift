/// A number besides time that a workload found out about the batch which it has just run: how often a service was called,
/// how many bytes an observer takes.
struct Metric: Codable, Equatable, Sendable {
  /// What was counted, in the plural: "service calls", "bytes per observer". One figure of a workload has one name.
  let name: String
  /// What the value is measured in: "" for a plain number, "×" for a ratio, "bytes".
  let unit: String
  let value: Double

  init(_ name: String, unit: String = "", _ value: Double) {
    self.name = name
    self.unit = unit
    self.value = value
  }
}
