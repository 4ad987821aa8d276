import Foundation
import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct PageTests {
  private let hostile = "<script>\"a\" & 'b' | c"

  private func report(variant: String) -> Report {
    let points = [1, 100].map { x in
      GroupResult(
        section: "State", title: "burst to \(x)", unit: "value", reference: "floor",
        point: CurvePoint("burst, per value", "observers", x, note: "caches & cores"),
        measurements: [("floor", 10.0), (variant, 20)].map { name, time in
          VariantResult(
            variant: name, iterationsPerSample: 1, operationsPerSample: 1,
            time: Statistics([time, time, time + 1, time, time]), cpu: time, memory: 2_000_000, threads: 2,
            allocations: 0, contextSwitches: 0.001, isFloor: name == "floor",
            metrics: [MetricResult(name: "bytes per observer", unit: "bytes", statistics: Statistics([200]))])
        }, failures: [GroupResult.Failure(variant: "gone", message: hostile)])
    }
    var report = Report(
      date: Date(timeIntervalSince1970: 1_750_000_000),
      machine: Machine(
        system: "Linux", architecture: "x86-64", cores: 2, isDebugBuild: false, processor: "P4"),
      mode: "full", command: "swift run Benchmarks --filter \(hostile)", isInterrupted: false, groups: points)
    let name = "State / burst to 100 / \(variant)"
    report.targets = [
      Target(
        "burst", "≤ 3 × the floor", .atMost(3), .time(of: name, in: "State / burst to 100 / floor")
      ).asHeadline("burst", beside: "floor"),
      Target("burst", "≤ 100 bytes", .atMost(100), .metric("bytes per observer", unit: "bytes", of: name)),
      Target("missing", "≤ 1", .atMost(1), .allocations(of: "State / gone / x")),
    ].map { $0.inSection(hostile).result(in: report) }
    return report
  }

  @Test("the Markdown page names its machine and command, and has the targets and one table for each group")
  func markdown() {
    let page = report(variant: "part").markdown()
    #expect(
      page.hasPrefix(
        """
        # Benchmarks

        Measured on 2 cores, P4, Linux, 2025-06-15, with `swift run Benchmarks --filter \(hostile)` (full run).

        ## Targets

        ### \(hostile)

        | work | target | measured | verdict |
        | --- | ---: | ---: | ---: |
        | burst | ≤ 3 × the floor | 2 × | holds |
        | burst | ≤ 100 bytes | 200 bytes | FALLS SHORT |
        | missing | ≤ 1 | – | not measured |

        ## State

        ### burst to 1 (per value)

        |  | median | p90 |
        """.dropLast(2)))
    #expect(page.contains("| part | 20.0 ns | 20.6 ns | 21.0 ns | 20.0 ns |"))
    #expect(page.contains("- part: bytes per observer 200 bytes"))
  }

  @Test("each chart of the stages and of growth is also a picture with a title, a note and its own style")
  func pictures() {
    var report = report(variant: hostile)
    report.groups.append(
      GroupResult(
        section: hostile, title: "work", unit: "u", reference: Report.stages[0], isHeadline: true,
        measurements: Report.stages.map { stage in
          VariantResult(
            variant: stage, iterationsPerSample: 1, operationsPerSample: 1, time: Statistics([20]), cpu: 1,
            memory: nil, threads: nil)
        }, failures: []))
    let pictures = report.pictures
    #expect(pictures.map(\.name) == ["stages.svg", "burst-per-value.svg"])
    #expect(pictures[0].contents.contains(">The stages of each feature</text>"))
    #expect(pictures[1].contents.contains(">burst, per value</text>"))
    for (_, contents) in pictures {
      #expect(contents.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox="))
      #expect(contents.contains(HTML.escaped(hostile)) && !contents.contains("<script>"))
      let classes = Set(contents.matches(of: #/class="(?:dot|curve) (s\d)"/#).map { String($0.output.1) })
      #expect(!classes.isEmpty)
      for name in classes {
        #expect(contents.contains(".dot.\(name) {") && contents.contains("--\(name): #"))
      }
    }
    #expect(report.html().contains("<h2 id=\"stages\">"))
    #expect(report.html().contains("<tr><th colspan=\"5\">\(HTML.escaped(hostile))</th></tr>"))
  }

  @Test("the Markdown page, the text and the HTML page show every result of a repeated measurement")
  func series() {
    var report = report(variant: "part")
    report.targets = [
      TargetResult(
        work: "send", promise: "≤ 2 ×", bound: .atMost(2), unit: "×", measured: 1.9, series: [2.5, 1.9, 1.5])
    ]
    let runs = "2.50 × · 1.90 × · 1.50 ×"
    #expect(report.markdown().contains("| send | ≤ 2 × | 1.90 × (\(runs)) | holds |"))
    #expect(report.targetLines.suffix(2) == [TargetResult.repetitionNote, "  send: ≤ 2 ×: \(runs)"])
    let page = report.html()
    #expect(page.contains(runs) && page.contains(TargetResult.repetitionNote))
    #expect(page.matches(of: #/class="run"/#).count == 3)
  }

  @Test("the text of a table cell is escaped, so that it cannot end its row or begin an HTML tag")
  func cells() {
    #expect(MarkdownTable.escaped("a|b\\c\n<d>") == "a\\|b\\\\c &lt;d>")
    #expect(
      MarkdownTable(header: ["a", "b"], rows: [["x|y", "1"]]).text
        == "| a | b |\n| --- | ---: |\n| x\\|y | 1 |")
  }

  @Test("a bar begins at zero, so a chart with a logarithmic scale has dots instead of bars")
  func marks() {
    func group(_ times: [Double], _ counts: [Double]) -> GroupResult {
      GroupResult(
        section: "State", title: "send", unit: "value", reference: "variant 0",
        measurements: zip(times, counts).enumerated().map { index, numbers in
          VariantResult(
            variant: "variant \(index)", iterationsPerSample: 1, operationsPerSample: 1,
            time: Statistics([numbers.0]), cpu: 1, memory: nil, threads: nil,
            metrics: [MetricResult(name: "calls", unit: "", statistics: Statistics([numbers.1]))])
        }, failures: [])
    }
    func marks(_ chart: String) -> [Substring] {
      chart.matches(of: #/<(rect|circle) [^>]*class="bar /#).map(\.output.1)
    }
    let linear = group([91.8, 791], [1, 8])
    #expect(marks(GroupChart(group: linear).text) == ["rect", "rect"])
    #expect(marks(MetricChart(name: "calls", groups: [linear]).text) == ["rect", "rect"])
    let wide = group([6, 91.8, 791], [0, 1, 80])
    #expect(marks(GroupChart(group: wide).text) == ["circle", "circle", "circle"])
    #expect(marks(MetricChart(name: "calls", groups: [wide]).text) == ["circle", "circle"])
  }

  @Test("a curve with ten lines has a color for each of them, and its labels stay inside the chart")
  func manyLines() throws {
    let groups = [1, 100].map { x in
      GroupResult(
        section: "State", title: "burst to \(x)", unit: "value", reference: "variant 0",
        point: CurvePoint("burst", "observers", x),
        measurements: (0..<10).map { index in
          VariantResult(
            variant: "variant \(index)", iterationsPerSample: 1, operationsPerSample: 1,
            // Four lines end at the top, and six at the bottom.
            time: Statistics([index < 4 ? 1_000 : 10]), cpu: 1, memory: nil, threads: nil)
        }, failures: [])
    }
    let chart = try #require(CurveChart("burst", of: groups)).drawing.text
    let labels = chart.matches(of: #/<text [^>]*y="([-.0-9]+)"[^>]*class="label"/#)
      .compactMap { Double($0.output.1) }
    #expect(labels.count == 10)
    #expect(labels.allSatisfy { $0 > 12 }, "\(labels)")
    let styles = Set(chart.matches(of: #/class="curve (s\d)"/#).map(\.output.1))
    #expect(styles.count == 10)
    for style in styles { #expect(StyleSheet.text.contains(".curve.\(style) {")) }
  }

  @Test("the verdict of an unsteady result is marked as uncertain")
  func unsteadyVerdicts() {
    var report = report(variant: "part")
    report.targets = [(1.5, false), (2.5, false), (1.5, true), (2.5, true), (3.5, true)].map {
      measured, isUnsteady in
      TargetResult(
        work: "send", promise: "≤ 2 ×", bound: .atMost(2), unit: "×", measured: measured,
        isUnsteady: isUnsteady)
    }
    let page = report.html()
    #expect(page.contains(#"<span class="chip unsure">falls short, unsteady</span>"#))
    #expect(page.contains(#"<span class="chip unsure">holds, unsteady</span>"#))
    #expect(page.contains(#"<span class="chip falls">falls short</span>"#))
    for chip in ["1 holds", "1 falls short", "1 holds, unsteady", "2 fall short, unsteady"] {
      #expect(page.contains(">\(chip)</span>"), "\(chip)")
    }
    #expect(page.matches(of: #/<circle [^>]*class="unsure"/#).count == 3)
    #expect(!page.contains("the least that this machine can do"))
  }

  @Test("the HTML page escapes all texts, and is self-contained")
  func html() {
    let page = report(variant: hostile).html()
    #expect(!page.contains(hostile))
    #expect(page.contains(HTML.escaped(hostile)))
    for word in ["<script", "http://", "https://", "@import", "url("] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("prefers-color-scheme: dark"))
  }

  @Test("the HTML page is well-formed, and has the targets, the charts, the curve and the metrics")
  func structure() throws {
    let page = report(variant: "part").html()
    for word in [
      "holds", "falls short", "not measured", "burst to 1 ", "burst, per value", "bytes per observer", "P4",
      "caches &amp; cores",
    ] {
      #expect(page.contains(word), "\(word)")
    }
    for name in ["svg", "table", "section", "div", "text", "details", "span", "p", "tr", "td"] {
      let opened = page.matches(of: try Regex("<\(name)[ >]")).count
      #expect(opened == page.matches(of: try Regex("</\(name)>")).count, "\(name)")
    }
  }

  @Test("on a narrow screen, the targets stand one below the other, and a hint shows what scrolls sideways")
  func narrowScreen() {
    let page = report(variant: "part").html()
    for element in [#/<table[ >]/#, #/<svg viewBox[^>]* role="img"/#] {
      let all = page.matches(of: element)
      #expect(!all.isEmpty)
      for match in all {
        #expect(page[..<match.range.lowerBound].hasSuffix(#"<div class="scroll">"#), "\(page[match.range])")
      }
    }
    #expect(page.contains(#/\.scroll \{ overflow-x: auto; background:[^}]*var\(--shadow\)[^}]* scroll; \}/#))
    #expect(page.contains(#/@media \(max-width: 760px\) \{[^@]*table\.targets td \{ display: block;/#))
  }

  @Test("a chart contains only numbers that a browser can draw")
  func numbers() {
    var zero = report(variant: "part")
    zero.targets = [TargetResult(work: "w", promise: "0", bound: .atMost(0), unit: "", measured: 0)]
    for page in [zero.html(), report(variant: "part").html()] {
      #expect(!page.contains("nan") && !page.contains("\"inf") && !page.contains("\"-inf"))
    }
  }

  @Test(
    "a linear axis begins at zero; a logarithmic axis has powers of ten as ticks; positions stay on the axis")
  func axes() {
    let linear = Axis.fitting([2, 4], start: 0, end: 100)
    #expect(!linear.isLogarithmic && linear.lower == 0)
    #expect(linear.ticks == [0, 1, 2, 3, 4])
    let logarithmic = Axis.fitting([1, 10_000], start: 0, end: 100)
    #expect(logarithmic.isLogarithmic)
    #expect(logarithmic.ticks == [1, 10, 100, 1_000, 10_000])
    #expect(logarithmic.position(of: 0) == 0 && logarithmic.position(of: 1e9) == 100)
    #expect(Axis.fitting([], start: 0, end: 100).position(of: 0.5) == 50)
  }
}
