extension Report {
  static let targetsHeader = ["work", "this package", "compared with", "result", "target"]

  /// A table of the targets' results, and the machine and the command that produced them.
  ///
  /// - Parameter headlinesOnly: Whether the table has only the headlines.
  func targetsTable(headlinesOnly: Bool) -> String {
    let table = MarkdownTable(
      header: Self.targetsHeader,
      rows: targets.filter { $0.isHeadline || !headlinesOnly }.map { target in
        [
          target.work, target.contrast?.subjectText ?? "", target.contrast?.otherText ?? "",
          target.measuredText + (target.series.map { ", of \($0.count) runs" } ?? ""),
          target.promise + (target.verdict == .fallsShort ? " (falls short)" : ""),
        ]
      })
    return table.text + "\n\n" + caption
  }
}
