extension Report {
  /// The targets as lines of text; empty if the run checked none.
  var targetLines: [String] {
    guard !targets.isEmpty else { return [] }
    let sections = TargetResult.sections(of: targets)
    let tables = sections.map { section in
      TextTable(
        header: [section.title ?? "work and promise", "measured", "verdict"],
        rows: section.targets.map { target in
          [
            "\(target.work): \(target.promise)",
            target.measuredText,
            target.mark + target.verdict.rawValue,
          ]
        })
    }
    return ["", "TARGETS"] + tables.flatMap { [""] + $0.lines(widths: tables.sharedWidths) } + repeatedLines
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
