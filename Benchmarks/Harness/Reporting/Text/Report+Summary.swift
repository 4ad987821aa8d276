import AsyncViewModelsCommandLine

/// The results on one screen.
extension Report {
  /// The size of the screen on which every summary fits, also that of an interrupted debug run with failures.
  static let screen = (lines: 40, columns: 100)

  /// The stages of each feature side by side, the headline targets beside their floors, and how many targets hold.
  ///
  /// Returns `nil` if the run measured neither features nor headlines.
  func summary() -> String? {
    let tables = [featureTable, headlineTable].compactMap(\.self)
    guard !tables.isEmpty else { return nil }
    let lines = tables.flatMap { $0.lines() + [""] } + targetSummary + failureSummary + summaryLegend
    return lines.map { Self.cut($0, to: Self.screen.columns) }.joined(separator: "\n")
  }

  // MARK: - The stages

  /// For each feature, the first group that is marked as its headline.
  var headlineGroups: [GroupResult] {
    let marked = groups.filter { $0.isHeadline == true && !$0.measurements.isEmpty }
    return marked.map(\.section).uniqued().compactMap { section in marked.first { $0.section == section } }
  }

  private static let titleColumns = 53

  private var featureTable: TextTable? {
    let (features, place) = (headlineGroups, commonPlace)
    let rows = features.map { feature in
      [Self.cut("\(feature.section): \(feature.title.dropLast(place.count))", to: Self.titleColumns)]
        + Self.stages.map { stage in
          feature.measurements.first { $0.variant == stage }.map(Self.time) ?? "–"
        }
        + [
          feature.measurements.first { $0.variant == Self.stages[2] }
            .flatMap(feature.ratio).map(Quantity.comparison) ?? "–"
        ]
    }
    return rows.isEmpty
      ? nil
      : TextTable(
        header: ["A FEATURE'S STAGES\(place.uppercased())", "closure", "stream", "async", "async is"],
        rows: rows)
  }

  /// The end of all titles, such as ", in memory"; empty if the titles end differently.
  private var commonPlace: String {
    let places = headlineGroups.map { group in
      group.title.lastIndex(of: ",").map { String(group.title[$0...]) } ?? ""
    }
    return Set(places).count == 1 ? places[0] : ""
  }

  private static func time(_ measurement: VariantResult) -> String {
    (measurement.isUnsteady ? "! " : "") + Quantity.time(nanoseconds: measurement.time.median)
  }

  // MARK: - The parts

  private var headlineTable: TextTable? {
    let rows = targets.compactMap { target -> [String]? in
      guard let headline = target.headline, target.measured != nil else { return nil }
      let mark = target.isUnsteady ? "! " : ""
      let (work, floor) = (Self.cut(headline.work, to: 30), Self.cut(headline.floor, to: 27))
      guard let contrast = target.contrast else { return [work, mark + target.measuredText, floor, "", ""] }
      return [
        work, mark + contrast.subjectText, floor, contrast.otherText,
        contrast.unit == "ns" && contrast.subject > 0
          ? Quantity.comparison(ratio: contrast.ratio) : target.measuredText,
      ]
    }
    return rows.isEmpty
      ? nil
      : TextTable(
        header: ["A PART OF THE TOOLKIT", "this package", "compared with", "", "the part is"], rows: rows)
  }

  // MARK: - The targets

  private static let mostExamples = 2

  private var targetSummary: [String] {
    let measured = targets.filter { $0.measured != nil && $0.isGoal != true }
    guard !measured.isEmpty else { return [] }
    let missed = measured.filter { $0.verdict == .fallsShort }
    let goals = targets.count { $0.verdict == .notReached }
    let count =
      "  TARGETS  \(measured.count - missed.count) of \(measured.count) hold."
      + (goals == 0 ? "" : " \(Quantity.count(goals, "goal")) not reached.")
    guard !missed.isEmpty else { return [count] }
    return [count + " --check measures the others again:"]
      + Self.examples(missed.map { "    \($0.measuredText), \($0.work): \($0.promise)" }, of: "targets")
  }

  private var failureSummary: [String] {
    let failures = groups.flatMap { group in
      group.failures.map { "  FAILED \(group.section) / \(group.title) / \($0.variant): \($0.message)" }
    }
    return Self.examples(failures.map { $0.replacing("\n", with: " ") }, of: "benchmarks")
  }

  /// The first lines, and the number of the others.
  private static func examples(_ lines: [String], of noun: String) -> [String] {
    lines.count <= mostExamples
      ? lines : lines.prefix(mostExamples) + ["    and \(lines.count - mostExamples) other \(noun)"]
  }

  private var summaryLegend: [String] {
    var lines = ["", "  \(machine.summary); \(mode) run. Times are medians."]
    if headlineGroups.flatMap(\.measurements).contains(where: \.isUnsteady)
      || targets.contains(where: { $0.headline != nil && $0.isUnsteady })
    {
      lines.append("  !  unsteady: measure again on a quiet machine.")
    }
    lines.append("  All results: --all, or as charts --html FILE, or as data --json FILE. See --help.")
    if isInterrupted { lines.append("  INTERRUPTED: the results are incomplete.") }
    if machine.isDebugBuild { lines.append(Self.debugWarning) }
    return lines
  }

  private static func cut(_ text: String, to columns: Int) -> String {
    text.count <= columns || text.contains("\n") ? text : text.prefix(columns - 1) + "…"
  }
}
