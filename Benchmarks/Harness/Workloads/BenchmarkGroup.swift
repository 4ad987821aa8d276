/// A piece of work and the variants that do it. All variants of a group are measured in turns, within one run.
struct BenchmarkGroup: Sendable {
  /// What the group belongs to in the table: "State", "Search".
  let section: String
  /// The work: "send, nobody waiting".
  let title: String
  /// What one operation is, in the singular: "value".
  let unit: String
  /// The variant with which the others are compared.
  let reference: String
  /// Whether the HTTP origin has to serve meanwhile.
  let usesServer: Bool
  /// Where this group stands on a curve, if it is a point of one.
  let point: CurvePoint?
  let benchmarks: [Benchmark]

  /// - Precondition: the variants have different names.
  init(
    section: String, title: String, unit: String, reference: String, usesServer: Bool = false,
    point: CurvePoint? = nil, benchmarks: [Benchmark]
  ) {
    let names = benchmarks.map(\.variant)
    precondition(
      Set(names).count == names.count, "\(section) / \(title): two variants have one name: \(names)")
    self.section = section
    self.title = title
    self.unit = unit
    self.reference = reference
    self.usesServer = usesServer
    self.point = point
    self.benchmarks = benchmarks
  }

  /// The name by which `--list` shows a variant and `--filter` selects it.
  func name(of benchmark: Benchmark) -> String {
    "\(section) / \(title) / \(benchmark.variant)"
  }

  /// The same group with the selected variants only; `nil` where none is.
  func selecting(_ isSelected: (_ name: String) throws -> Bool) rethrows -> BenchmarkGroup? {
    try keeping { try isSelected(name(of: $0)) }
  }

  /// The same group with those variants only that are wanted; `nil` where none is.
  func keeping(_ isWanted: (Benchmark) throws -> Bool) rethrows -> BenchmarkGroup? {
    let wanted = try benchmarks.filter(isWanted)
    guard !wanted.isEmpty else { return nil }
    return BenchmarkGroup(
      section: section, title: title, unit: unit, reference: reference, usesServer: usesServer, point: point,
      benchmarks: wanted)
  }
}
