extension Report {
  static let targetsHeader = ["work", "this package", "compared with", "result", "target"]

  /// The targets' results, a table for each section, and the machine and the command that produced them.
  var targetsTables: String {
    let tables = TargetResult.sections(of: targets).flatMap { section in
      (section.title.map { ["### \($0)"] } ?? []) + [table(of: section.targets)]
    }
    return (tables + [caption]).joined(separator: "\n\n")
  }

  private func table(of targets: [TargetResult]) -> String {
    MarkdownTable(
      header: Self.targetsHeader,
      rows: targets.map { target in
        [
          target.work, target.contrast?.subjectText ?? "", target.contrast?.otherText ?? "",
          target.measuredText + (target.series.map { ", of \($0.count) runs" } ?? ""),
          target.promise + Self.note(on: target.verdict),
        ]
      }
    ).text
  }

  private static func note(on verdict: TargetResult.Verdict) -> String {
    switch verdict {
    case .fallsShort: " (falls short)"
    case .notReached: " (not reached)"
    case .holds, .notMeasured: ""
    }
  }
}
