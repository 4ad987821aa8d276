/// Two runs of the same benchmarks: what became better or worse beyond noise.
struct Comparison: Equatable, Sendable {
  /// Those that both runs measured, in the later one's order. Floors are not among them: they are the machine.
  let changes: [Change]
  /// By how many times the floors take longer than before.
  let drift: Double
  /// What the earlier run measured and the later one did not.
  let missing: [String]
  /// Whether the figures come from different kinds of machines or builds, and therefore say little beside each other.
  let isAcrossMachines: Bool

  var hasRegressions: Bool { changes.contains { $0.verdict == .worse } }

  /// The least difference that is called one.
  static let leastNoise = 0.1

  init(of report: Report, with baseline: Report) {
    let pairs = report.named.compactMap { name, after in
      baseline.variant(name).map { before in (name: name, before: before, after: after) }
    }.filter { $0.before.time.median > 0 && $0.after.time.median > 0 }
    let floors = pairs.filter(\.after.isFloor).map { $0.after.time.median / $0.before.time.median }
    let drift = floors.isEmpty ? 1 : Statistics(floors).median
    self.drift = drift
    changes = pairs.filter { !$0.after.isFloor }.map { pair in
      Change(
        name: pair.name, before: pair.before.time.median, after: pair.after.time.median, drift: drift,
        noise: max(Self.leastNoise, 2 * (pair.before.time.spread + pair.after.time.spread)),
        isSteady: !pair.before.isUnsteady && !pair.after.isUnsteady,
        areApart: Self.areApart(pair.before.time, pair.after.time, drift: drift))
    }
    missing = baseline.named.map(\.name).filter { report.variant($0) == nil }
    isAcrossMachines =
      report.machine.cores != baseline.machine.cores
      || report.machine.architecture != baseline.machine.architecture
      || report.machine.processor != baseline.machine.processor
      || report.machine.isDebugBuild != baseline.machine.isDebugBuild
  }

  private static func areApart(_ before: Statistics, _ after: Statistics, drift: Double) -> Bool {
    after.quantiles[5] / drift > before.quantiles[15] || after.quantiles[15] / drift < before.quantiles[5]
  }
}

extension Report {
  /// All that was measured, by its full name, in order.
  fileprivate var named: [(name: String, result: VariantResult)] {
    groups.flatMap { group in group.measurements.map { (group.name(of: $0), $0) } }
  }
}
