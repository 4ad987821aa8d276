/// A piece of work and the variants that do it. A run measures the variants of a group in turns.
public struct BenchmarkGroup: Sendable {
  /// The section of the report: "State", "Search".
  package let section: String
  /// The work: "send without observers".
  package let title: String
  /// What one operation is, in the singular: "value".
  let unit: String
  /// The variant to which the report compares the others.
  package let reference: String
  /// The place of this group on a curve; `nil` if the group belongs to no curve.
  let point: CurvePoint?
  package private(set) var benchmarks: [Benchmark]
  /// Whether the program's server has to run while the group is measured.
  private(set) var usesServer = false
  /// Whether the summary shows this group for its section, a feature.
  private(set) var isHeadline = false

  /// - Precondition: The variants have different names.
  public init(
    section: String, title: String, unit: String, reference: String, point: CurvePoint? = nil,
    benchmarks: [Benchmark]
  ) {
    let names = benchmarks.map(\.variant)
    precondition(
      Set(names).count == names.count, "\(section) / \(title): two variants have the same name: \(names)")
    self.section = section
    self.title = title
    self.unit = unit
    self.reference = reference
    self.point = point
    self.benchmarks = benchmarks
  }

  /// The same group, measured while the program's server runs.
  package var onServer: BenchmarkGroup {
    var group = self
    group.usesServer = true
    return group
  }

  /// The name of a variant in `--list`, `--filter` and targets: "section / title / variant".
  package func name(of benchmark: Benchmark) -> String {
    "\(section) / \(title) / \(benchmark.variant)"
  }

  /// The same group, as one that the summary and the chart of the stages show for its feature. They show the first such group
  /// of each section.
  package var asHeadline: BenchmarkGroup {
    var group = self
    group.isHeadline = true
    return group
  }

  /// Whether each sample lasts as long as the runner asks for.
  var isTimed: Bool { benchmarks.contains(where: \.isTimed) }

  /// The names of all variants.
  package var names: [String] { benchmarks.map(name) }

  /// The same group with only the wanted variants; `nil` if none is wanted.
  func keeping(_ isWanted: (Benchmark) throws -> Bool) rethrows -> BenchmarkGroup? {
    var group = self
    group.benchmarks = try benchmarks.filter(isWanted)
    return group.benchmarks.isEmpty ? nil : group
  }
}

/// The place of a group on a curve. The groups of a curve do the same work with the same variants at different sizes.
///
/// Reports draw the cost per operation along the curve, and ``Measure/growth(along:of:)`` measures how it grows.
public struct CurvePoint: Codable, Equatable, Sendable {
  /// The name that all points share: "burst, per value and observer".
  let curve: String
  /// What grows, in the plural: "observers".
  let axis: String
  package let x: Int
  /// Why the cost changes along the curve; the same at all points, and `nil` if it needs no explanation.
  let note: String?

  /// Creates a point of a curve.
  public init(_ curve: String, _ axis: String, _ x: Int, note: String? = nil) {
    self.curve = curve
    self.axis = axis
    self.x = x
    self.note = note
  }
}
