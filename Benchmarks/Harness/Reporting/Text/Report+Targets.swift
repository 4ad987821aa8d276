extension Report {
  /// The claims as text: what was promised, what was measured, and whether it holds; none where none was checked.
  var targetLines: [String] {
    guard !targets.isEmpty else { return [] }
    let table = TextTable(
      header: ["work and promise", "measured", "verdict"],
      rows: targets.map { target in
        [
          "\(target.work): \(target.promise)",
          target.measuredText,
          (target.isUnsteady ? "! " : "") + target.verdict.rawValue,
        ]
      })
    return ["", "TARGETS", ""] + table.lines() + repeatedLines
  }

  /// What was measured again, and what each run said.
  private var repeatedLines: [String] {
    let lines = targets.compactMap { target in
      target.seriesText.map { "  \(target.work): \(target.promise): \($0)" }
    }
    return lines.isEmpty
      ? [] : ["", TargetResult.repetitionNote] + lines
  }
}
