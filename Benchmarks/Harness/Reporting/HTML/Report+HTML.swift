extension Report {
  /// The results as one self-contained page: no scripts, and no fonts or pictures from elsewhere.
  func html() -> String {
    let title = HTML.escaped("Benchmarks of \(day)")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      \(StyleSheet.text)
      </style>
      </head>
      <body>
      <main>
      \((header + stagesSection + targetSection + howToRead + groupSections + curveSection + metricSections).joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  private var header: [String] {
    let entries = [
      ("machine", HTML.escaped(machine.summary)), ("date", HTML.escaped(day)),
      ("command", HTML.element("code", HTML.escaped(command))), ("run", HTML.escaped(mode)),
    ]
    var warnings: [String] = []
    if machine.isDebugBuild { warnings.append("A debug build: its times say nothing about the library.") }
    if isInterrupted { warnings.append("Interrupted: the results are incomplete.") }
    return [HTML.element("h1", "What it costs")]
      + warnings.map { HTML.element("p", class: "warning", HTML.escaped($0)) }
      + [
        "<dl>" + entries.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" }.joined(separator: "\n") + "</dl>",
        navigation,
      ]
  }

  private var sections: [String] { groups.map(\.section).uniqued() }

  private var navigation: String {
    let titles =
      (stagesChart == nil ? [] : ["Stages"]) + (targets.isEmpty ? [] : ["Targets"]) + sections
      + (curves.isEmpty ? [] : ["Scaling"])
      + (metricNames.isEmpty ? [] : ["Counted besides time"])
    let links = titles.map { "<a href=\"#\(HTML.anchor($0))\">\(HTML.escaped($0))</a>" }
    return HTML.element("nav", links.joined(separator: "\n"))
  }

  private var howToRead: [String] {
    [
      """
      <h2>How to read the charts</h2>
      <p>Each bar begins at zero and ends at the <b>median</b> time of one operation. On a log scale, which has no zero, a dot \
      marks the median. The colors are <b style="color:var(--bar)">blue</b> for a way to do the work, \
      <b style="color:var(--muted)">gray</b> for the one to which the others are compared, and \
      <b style="color:var(--floor)">amber</b> for a floor, the bare mechanism that most of the others use. A variant that \
      avoids the mechanism can be faster than the floor. The mark below a bar or dot shows the \
      distribution of the samples: half of them lie in the dark band, nine in ten in the light one, and the line goes from \
      the least to the 99th percentile. All variants of a chart took turns within one run. “~” marks an unsteady result, whose \
      samples are too few or lie too far apart.</p>
      """
    ]
  }

  private var targetSection: [String] {
    guard !targets.isEmpty else { return [] }
    func tally(_ verdict: TargetResult.Verdict, isUnsteady: Bool) -> String {
      let counted = targets.filter { $0.verdict == verdict && $0.isUnsteady == isUnsteady }
      guard let first = counted.first else { return "" }
      let words = counted.count == 1 ? verdict.words : verdict.pluralWords
      return HTML.element("span", class: "chip \(first.style)", "\(counted.count) \(words)\(first.doubt)")
    }
    let tallies = [TargetResult.Verdict.holds, .fallsShort, .notReached, .notMeasured].flatMap { verdict in
      [tally(verdict, isUnsteady: false), tally(verdict, isUnsteady: true)]
    }
    let rows = TargetResult.sections(of: targets).flatMap { section -> [String] in
      let title = section.title.map { #"<tr><th colspan="5">\#(HTML.escaped($0))</th></tr>"# }
      return (title.map { [$0] } ?? []) + section.targets.map(Self.row)
    }
    return [
      """
      <h2 id="targets">Targets</h2>
      <p>What the package promises, and what this run measured. In each gauge the line is the bound, the red half breaks the \
      promise, and the scale runs from a tenth of the bound to ten times the bound. \
      The verdict of an unsteady result is uncertain: measure it again on a quiet machine.\
      \(targets.contains { $0.series != nil } ? " \(TargetResult.repetitionNote)" : "")</p>
      <div class="tally">\(tallies.joined())</div>
      <div class="card"><div class="scroll"><table class="targets">
      <thead><tr><th>work</th><th>target</th><th>measured</th><th></th><th></th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div></div>
      """
    ]
  }

  private static func row(of target: TargetResult) -> String {
    let cells = [
      HTML.escaped(target.work), HTML.escaped(target.promise),
      HTML.element("b", HTML.escaped(target.mark + target.measuredText))
        + (target.seriesText.map { HTML.element("div", class: "muted", HTML.escaped($0)) } ?? ""),
      target.measured == nil ? "" : TargetGauge(target: target).text,
      HTML.element("span", class: "chip \(target.style)", target.verdict.words + target.doubt),
    ]
    return "<tr>" + cells.map { HTML.element("td", $0) }.joined() + "</tr>"
  }

  var stagesChart: StagesChart? { StagesChart(headlineGroups) }

  private var stagesSection: [String] {
    guard let chart = stagesChart else { return [] }
    return [
      """
      <h2 id="stages">Stages</h2>
      <p>\(StagesChart.note)</p>
      <section class="card">\(chart.drawing.text)</section>
      """
    ]
  }

  private var groupSections: [String] {
    sections.flatMap { section in
      ["<h2 id=\"\(HTML.anchor(section))\">\(HTML.escaped(section))</h2>"]
        + groups.filter { $0.section == section }.map(Self.card)
    }
  }

  private static func card(_ group: GroupResult) -> String {
    let metrics = metricLines(of: group).map { HTML.element("p", class: "muted", HTML.escaped($0)) }
    let failures = group.failures.map {
      HTML.element("p", class: "warning", HTML.escaped("\($0.variant) failed: \($0.message)"))
    }
    let rows = group.measurements.map { row(of: $0, in: group) }
    let results =
      rows.isEmpty
      ? []
      : [
        GroupChart(group: group).text,
        "<details><summary>all numbers</summary>\(HTML.table(header: columns, rows: rows))</details>",
      ]
    return """
      <section class="card">
      <h3>\(HTML.escaped(group.title)) <span class="muted">· time per \(HTML.escaped(group.unit))</span></h3>
      \((failures + results + metrics).joined(separator: "\n"))
      </section>
      """
  }

  var curves: [CurveChart] {
    groups.compactMap { $0.point?.curve }.uniqued().compactMap { CurveChart($0, of: groups) }
  }

  private var curveSection: [String] {
    guard !curves.isEmpty else { return [] }
    return [
      """
      <h2 id="scaling">Scaling</h2>
      <p>The cost of one operation as the work grows. Both scales are logarithmic: a level line is a cost that does not grow.</p>
      """
    ]
      + curves.map { curve in
        let note = curve.note.map { "<p>\(HTML.escaped($0))</p>\n" } ?? ""
        return
          "<section class=\"card\"><h3>\(HTML.escaped(curve.curve))</h3>\n\(note)\(curve.drawing.text)</section>"
      }
  }

  private var metricNames: [String] {
    groups.flatMap(\.measurements).flatMap(\.metrics).map(\.name).uniqued()
  }

  private var metricSections: [String] {
    guard !metricNames.isEmpty else { return [] }
    return ["<h2 id=\"counted-besides-time\">Counted besides time</h2>"]
      + metricNames.map { name in
        "<section class=\"card\"><h3>\(HTML.escaped(name))</h3>\n\(MetricChart(name: name, groups: groups).text)</section>"
      }
  }
}

extension TargetResult.Verdict {
  fileprivate var words: String {
    switch self {
    case .holds: "holds"
    case .fallsShort: "falls short"
    case .notReached: "not reached"
    case .notMeasured: "not measured"
    }
  }

  fileprivate var pluralWords: String {
    switch self {
    case .holds: "hold"
    case .fallsShort: "fall short"
    case .notReached: "not reached"
    case .notMeasured: "not measured"
    }
  }
}

extension TargetResult {
  /// The class of the verdict's chip and of the gauge's dot. The verdict of an unsteady result has the color of a warning.
  var style: String {
    switch verdict {
    case .notMeasured, .notReached: "open"
    case _ where isUnsteady: "unsure"
    case .holds: "holds"
    case .fallsShort: "falls"
    }
  }

  fileprivate var doubt: String { style == "unsure" ? ", unsteady" : "" }
}
