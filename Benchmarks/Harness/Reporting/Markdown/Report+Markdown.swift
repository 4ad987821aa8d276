import Foundation

extension Report {
  /// The results as a page in Markdown: the targets, then one table for each group.
  func markdown() -> String {
    var parts = ["# Benchmarks", caption]
    if machine.isDebugBuild { parts.append("**A debug build: its times say nothing about the library.**") }
    if isInterrupted { parts.append("**Interrupted: the results are incomplete.**") }
    if !targets.isEmpty { parts += ["## Targets"] + targetTables + repetitionNote }
    var section: String?
    for group in groups {
      if group.section != section { parts.append("## \(group.section)") }
      section = group.section
      parts.append("### \(group.title) (per \(group.unit))")
      if !group.measurements.isEmpty { parts.append(Self.markdownTable(of: group).text) }
      parts += Self.metricLines(of: group).map { "- " + $0 }
      parts += group.failures.map { "- **failed**, \($0.variant): \(MarkdownTable.escaped($0.message))" }
    }
    parts.append(
      "Times are per operation. CPU is the time on all cores together. ~ marks unsteady results, whose samples are too "
        + "few or lie too far apart. A dash: not available on this platform.")
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// The machine, the day and the command of the run.
  var caption: String {
    "Measured on \(machine.summary), \(day), with `\(command)` (\(mode) run)."
  }

  /// The day of the run, in the same format in every locale.
  var day: String {
    date.formatted(.iso8601.year().month().day())
  }

  private var targetTables: [String] {
    TargetResult.sections(of: targets).flatMap { section in
      let table = MarkdownTable(
        header: ["work", "target", "measured", "verdict"],
        rows: section.targets.map { target in
          [
            target.work, target.promise,
            target.measuredText + (target.seriesText.map { " (\($0))" } ?? ""),
            target.mark + target.verdict.rawValue,
          ]
        })
      return (section.title.map { ["### \($0)"] } ?? []) + [table.text]
    }
  }

  private var repetitionNote: [String] {
    targets.contains { $0.series != nil }
      ? ["\(TargetResult.repetitionNote) All three are in parentheses."] : []
  }

  private static func markdownTable(of group: GroupResult) -> MarkdownTable {
    MarkdownTable(header: Self.columns, rows: group.measurements.map { row(of: $0, in: group) })
  }
}
