extension Report {
  static let debugWarning = """
    ┌──────────────────────────────────────────────────────────────────────────────┐
    │ WARNING: this is a DEBUG build. Its times say nothing about the library.     │
    │ Measure with:  swift run -c release                                          │
    └──────────────────────────────────────────────────────────────────────────────┘
    """

  /// The results as text: one table for each group, with the same column widths.
  func table() -> String {
    let tables = groups.map { group in (group: group, table: Self.table(of: group)) }
    let widths = tables.map(\.table).sharedWidths
    var lines: [String] = []
    var section: String?
    for (group, table) in tables {
      if group.section != section { lines += ["", group.section.uppercased()] }
      section = group.section
      lines += ["", "\(group.title) (per \(group.unit))"]
      if !table.rows.isEmpty { lines += table.lines(widths: widths) }
      lines += Self.metricLines(of: group).map { "  " + $0 }
      lines += group.failures.map { "  FAILED \($0.variant): \($0.message)" }
    }
    return (lines + stageLines + targetLines + [""] + legend).joined(separator: "\n")
  }

  private static func table(of group: GroupResult) -> TextTable {
    TextTable(header: columns, rows: group.measurements.map { row(of: $0, in: group) })
  }

  static let columns = [
    "", "median", "p90", "p99", "least", "spread", "CPU", "allocs", "switches", "memory", "threads",
    "against",
  ]

  /// The cells of a variant, one for each of ``columns``.
  static func row(of measurement: VariantResult, in group: GroupResult) -> [String] {
    let time = measurement.time
    return [
      measurement.variant,
      Quantity.time(nanoseconds: time.median),
      Quantity.time(nanoseconds: time.p90),
      Quantity.time(nanoseconds: time.p99),
      Quantity.time(nanoseconds: time.minimum),
      measurement.mark + "±" + Quantity.percentage(time.spread),
      Quantity.time(nanoseconds: measurement.cpu),
      measurement.allocations.map(Quantity.rate) ?? "–",
      measurement.contextSwitches.map(Quantity.rate) ?? "–",
      measurement.memory.map { "+" + Quantity.memory(bytes: $0) } ?? "–",
      measurement.threads.map(String.init) ?? "–",
      comparison(of: measurement, in: group),
    ]
  }

  /// The metrics, one line for each variant that has some.
  static func metricLines(of group: GroupResult) -> [String] {
    group.measurements.filter { !$0.metrics.isEmpty }.map { measurement in
      let metrics = measurement.metrics.map { metric in
        let statistics = metric.statistics
        func number(_ value: Double) -> String { Quantity.number(value, unit: metric.unit) }
        // Several values in each sample are a distribution, whose tail matters.
        return statistics.count > measurement.time.count
          ? "\(metric.name) p50 \(number(statistics.median)), p99 \(number(statistics.p99))"
          : "\(metric.name) \(number(statistics.median))"
      }
      return "\(measurement.variant): \(metrics.joined(separator: " · "))"
    }
  }

  private static func comparison(of measurement: VariantResult, in group: GroupResult) -> String {
    if measurement.variant == group.reference { return "reference" }
    return group.ratio(of: measurement).map(Quantity.comparison) ?? "–"
  }

  private var legend: [String] {
    let measurements = groups.flatMap(\.measurements)
    var lines = [
      "\(machine.summary); \(mode) run.",
      "median, p90, p99, least: time per operation. spread: half of the samples lie this close to the median.",
      "CPU: time per operation on all cores together. allocs: allocations per operation.",
      "switches: how often a thread leaves its core, per operation. memory: the peak of resident memory, minus",
      "its initial value. threads: threads that ran. against: the median compared with the reference.",
    ]
    if measurements.contains(where: { $0.memory == nil || $0.threads == nil || $0.allocations == nil }) {
      lines.append("–: not available on this platform.")
    }
    if measurements.contains(where: \.isUnsteady) {
      lines.append(
        "~  unsteady, about: a spread above \(Quantity.percentage(VariantResult.spreadLimit)), a p90 above "
          + "\(Quantity.digits(VariantResult.tailLimit))× the median, or fewer than \(VariantResult.fewestSamples) "
          + "samples. Measure again on a quiet machine.")
    }
    if let busyNote { lines.append(busyNote) }
    if isInterrupted { lines.append("INTERRUPTED: the results are incomplete.") }
    if machine.isDebugBuild { lines.append(Self.debugWarning) }
    return lines
  }
}
