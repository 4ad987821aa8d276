extension Report {
  /// The targets as lines of text; empty if the run checked none.
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

  /// The targets that the run measured several times, each with all its results.
  private var repeatedLines: [String] {
    let lines = targets.compactMap { target in
      target.seriesText.map { "  \(target.work): \(target.promise): \($0)" }
    }
    return lines.isEmpty
      ? [] : ["", TargetResult.repetitionNote] + lines
  }
}
