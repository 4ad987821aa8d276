import AsyncViewModelsCommandLine

/// The results on one screen.
extension Report {
  /// The size of the screen on which every summary fits, also that of an interrupted debug run with failures. The width does not
  /// depend on the terminal, so a pipe or a file gets the same lines.
  static let screen = (lines: 40, columns: 80)

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

  private var featureTable: TextTable? {
    let (features, place) = (headlineGroups, commonPlace)
    let rows = features.map { feature in
      ["\(feature.section): \(Self.intent(feature.title.dropLast(place.count)))"]
        + Self.stages.map { stage in
          feature.measurements.first { $0.variant == stage }
            .map { Quantity.time(nanoseconds: $0.time.median) } ?? "–"
        }
        + [Self.asyncComparison(in: feature)]
    }
    return rows.isEmpty
      ? nil
      : TextTable(
        header: ["A FEATURE'S STAGES\(place.uppercased())", "closure", "stream", "async", "async is"],
        rows: rows)
  }

  /// The intent in a title. Each measurement ends when the outcome of the intent is visible, so the row does not repeat that.
  private static func intent(_ title: Substring) -> Substring {
    title.firstRange(of: ", and see ").map { title[..<$0.lowerBound] } ?? title
  }

  /// The end of all titles, such as ", in memory"; empty if the titles end differently.
  private var commonPlace: String {
    let places = headlineGroups.map { group in
      group.title.lastIndex(of: ",").map { String(group.title[$0...]) } ?? ""
    }
    return Set(places).count == 1 ? places[0] : ""
  }

  private static func asyncComparison(in feature: GroupResult) -> String {
    let ratio = feature.measurements.first { $0.variant == stages[2] }.flatMap(feature.ratio)
    guard let ratio else { return "–" }
    return about(feature.measurements.contains(where: \.isUnsteady)) + Quantity.comparison(ratio: ratio)
  }

  /// The mark of an unsteady result. It does not read as a failure.
  private static func about(_ isUnsteady: Bool) -> String { isUnsteady ? "~" : "" }

  // MARK: - The parts

  private var headlineTable: TextTable? {
    let rows = targets.compactMap { target -> [String]? in
      guard let headline = target.headline, target.measured != nil else { return nil }
      let about = Self.about(target.isUnsteady)
      guard let contrast = target.contrast else {
        return [headline.work, "", about + target.measuredText, headline.floor]
      }
      return [
        headline.work, contrast.subjectText,
        about
          + (contrast.unit == "ns" && contrast.subject > 0
            ? Quantity.comparison(ratio: contrast.ratio) : target.measuredText),
        headline.floor,
      ]
    }
    return rows.isEmpty
      ? nil
      : TextTable(
        header: ["A PART OF THE TOOLKIT", "takes", "that is", "compared with"], rows: rows)
  }

  // MARK: - The targets

  private static let mostExamples = 2

  private var targetSummary: [String] {
    let measured = targets.filter { $0.measured != nil && $0.isGoal != true }
    guard !measured.isEmpty else { return [] }
    let goals = targets.count { $0.verdict == .notReached }
    let unsure = measured.filter { $0.verdict == .fallsShort && ($0.isUnsteady || busyNote != nil) }
    let missed = measured.filter { $0.verdict == .fallsShort && !$0.isUnsteady && busyNote == nil }
    let reason = busyNote == nil ? "unsteady" : "busy machine"
    let count =
      "  TARGETS  \(measured.count - missed.count - unsure.count) of \(measured.count) hold"
      + (unsure.isEmpty ? "." : ", \(unsure.count) undecided (\(reason)).")
      + (goals == 0 ? "" : " \(Quantity.count(goals, "goal")) not reached.")
    guard !missed.isEmpty else { return [count] }
    return [count, "  \(missed.count) missed; --check measures again:"]
      + Self.examples(missed.map { "    \($0.measuredText) for \($0.promise): \($0.work)" }, of: "targets")
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
    var lines = ["", "  \(machine.summary)", "  A \(mode) run. Times are medians."]
    if headlineGroups.flatMap(\.measurements).contains(where: \.isUnsteady)
      || targets.contains(where: { $0.headline != nil && $0.isUnsteady })
    {
      lines.append("  ~  about: the samples are few or lie far apart.")
    }
    if let busyNote { lines.append("  " + busyNote) }
    lines.append("  All results: --all. Charts: --html FILE. Data: --json FILE. More: --help.")
    if isInterrupted { lines.append("  INTERRUPTED: the results are incomplete.") }
    if machine.isDebugBuild { lines.append(Self.debugWarning) }
    return lines
  }

  private static func cut(_ text: String, to columns: Int) -> String {
    text.count <= columns || text.contains("\n") ? text : text.prefix(columns - 1) + "…"
  }
}
