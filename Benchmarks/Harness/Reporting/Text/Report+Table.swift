extension Report {
  static let debugWarning = """
    ┌──────────────────────────────────────────────────────────────────────────────┐
    │ WARNING: this is a DEBUG build. Its figures say nothing about the library.   │
    │ Measure with:  swift run -c release Benchmarks                               │
    └──────────────────────────────────────────────────────────────────────────────┘
    """

  /// The results as text: one table per group, all in line.
  func table() -> String {
    let tables = groups.map { group in (group: group, table: Self.table(of: group)) }
    let widths = tables.map(\.table.widths).reduce(into: []) { widths, next in
      widths = widths.isEmpty ? next : zip(widths, next).map { max($0, $1) }
    }
    var lines: [String] = []
    var section: String?
    for (group, table) in tables {
      if group.section != section { lines += ["", group.section.uppercased()] }
      section = group.section
      lines += ["", "\(group.title) (per \(group.unit))"]
      if !table.rows.isEmpty { lines += table.lines(widths: widths) }
      lines += Self.figureLines(of: group).map { "  " + $0 }
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

  /// A variant's cells, one for each of ``columns``.
  static func row(of measurement: VariantResult, in group: GroupResult) -> [String] {
    let time = measurement.time
    return [
      measurement.variant,
      Quantity.time(nanoseconds: time.median),
      Quantity.time(nanoseconds: time.p90),
      Quantity.time(nanoseconds: time.p99),
      Quantity.time(nanoseconds: time.minimum),
      (measurement.isUnsteady ? "! ±" : "±") + Quantity.percentage(time.spread),
      Quantity.time(nanoseconds: measurement.cpu),
      measurement.allocations.map(Quantity.rate) ?? "–",
      measurement.contextSwitches.map(Quantity.rate) ?? "–",
      measurement.memory.map { "+" + Quantity.memory(bytes: $0) } ?? "–",
      measurement.threads.map(String.init) ?? "–",
      comparison(of: measurement, in: group),
    ]
  }

  /// What the work counted, one line for each variant that counted something.
  static func figureLines(of group: GroupResult) -> [String] {
    group.measurements.filter { !$0.figures.isEmpty }.map { measurement in
      let figures = measurement.figures.map { figure in
        "\(figure.name) \(Quantity.figure(figure.statistics.median, unit: figure.unit))"
      }
      return "\(measurement.variant): \(figures.joined(separator: " · "))"
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
      "median, p90, p99, least: time per operation. spread: half of the samples lie this near to the median.",
      "CPU: time per operation on all cores together. allocs: how often memory is asked for, per operation.",
      "switches: how often a thread leaves its core, per operation. memory: resident at the peak, above the",
      "beginning. threads: how many ran. against: the median beside the reference's.",
    ]
    if measurements.contains(where: { $0.memory == nil || $0.threads == nil || $0.allocations == nil }) {
      lines.append("–: this platform does not tell.")
    }
    if measurements.contains(where: \.isUnsteady) {
      lines.append(
        "!  unsteady: a spread beyond \(Quantity.percentage(VariantResult.spreadLimit)), a p90 beyond "
          + "\(Quantity.digits(VariantResult.tailLimit))× the median, or fewer than \(VariantResult.fewestSamples) samples. "
          + "Measure again on a quiet machine.")
    }
    if isInterrupted { lines.append("INTERRUPTED: what stands above was measured until then.") }
    if machine.isDebugBuild { lines.append(Self.debugWarning) }
    return lines
  }
}
