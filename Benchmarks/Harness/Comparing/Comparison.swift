/// What became better or worse between two runs of the same benchmarks.
struct Comparison: Equatable, Sendable {
  /// The variants that both runs measured, in the order of the later run. Floors
  /// (``Benchmark/isFloor``) are excluded: if a floor changes, the speed of the machine has changed.
  let changes: [Change]
  /// The time that the floors take now, as a multiple of their time before.
  let drift: Double
  /// The variants that only the earlier run measured.
  let missing: [String]
  /// Whether the runs come from different machines or builds, which makes the comparison unreliable.
  let isAcrossMachines: Bool

  var hasRegressions: Bool { changes.contains { $0.verdict == .worse } }

  /// The smallest noise that a comparison assumes, as a fraction of the time.
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
  /// All results with their full names, in order.
  fileprivate var named: [(name: String, result: VariantResult)] {
    groups.flatMap { group in group.measurements.map { (group.name(of: $0), $0) } }
  }
}
