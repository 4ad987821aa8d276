import AsyncViewModelsCommandLine
import Foundation
import Synchronization
import Testing

@testable import AsyncViewModelsBenchmarkHarness
@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct TargetsTests {
  private func group(_ title: String, _ point: CurvePoint? = nil, _ times: [(String, Double)]) -> GroupResult
  {
    GroupResult(
      section: "State", title: title, unit: "value", reference: "floor", point: point,
      measurements: times.map { variant, time in
        VariantResult(
          variant: variant, iterationsPerSample: 1, operationsPerSample: 1, time: Statistics([time]),
          cpu: time * 2, memory: 4_096, threads: 1, allocations: 0.5, allocatedBytes: time * 3,
          metrics: [MetricResult(name: "calls", unit: "", statistics: Statistics([7]))])
      }, failures: [])
  }

  private func report(_ groups: [GroupResult]) -> Report {
    Report(
      date: Date(timeIntervalSince1970: 0),
      machine: Machine(system: "Linux", architecture: "x86-64", cores: 2, isDebugBuild: false), mode: "quick",
      command: "", isInterrupted: false, groups: groups)
  }

  private func verdict(
    _ bound: Bound, _ measure: Measure, in groups: [GroupResult]
  ) -> TargetResult.Verdict {
    Target("work", "promise", bound, measure).result(in: report(groups)).verdict
  }

  @Test("every benchmark that a target requires exists")
  func requirements() {
    let groups = BenchmarkSuite.groups(server: ServerProcess())
    for target in Targets.all {
      for requirement in target.measure.requirements {
        #expect(
          groups.contains { group in group.benchmarks.contains { requirement.selects($0, of: group) } },
          "\(target.work): \(requirement)")
      }
    }
  }

  @Test("a target holds at its bound, falls short beyond it, and is not measured if a benchmark is missing")
  func verdicts() {
    let groups = [group("send", nil, [("floor", 10), ("part", 14)])]
    let time = Measure.time(of: "State / send / part", in: "State / send / floor")
    #expect(verdict(.atMost(1.4), time, in: groups) == .holds)
    #expect(verdict(.atMost(1.39), time, in: groups) == .fallsShort)
    #expect(verdict(.atLeast(1.4), time, in: groups) == .holds)
    #expect(verdict(.atLeast(1.41), time, in: groups) == .fallsShort)
    let missing = Measure.time(of: "State / send / part", in: "State / send / gone")
    #expect(verdict(.atMost(1.4), missing, in: groups) == .notMeasured)
  }

  @Test("a ratio has the two figures from which it is computed, and other measures have none")
  func contrasts() {
    let report = report([group("send", nil, [("floor", 10), ("part", 20), ("base", 4)])])
    let (part, floor, base) = ("State / send / part", "State / send / floor", "State / send / base")
    let measures: [(Measure, Contrast?)] = [
      (.time(of: part, in: floor), Contrast(subject: 20, other: 10, unit: "ns")),
      (.speed(of: part, against: floor), Contrast(subject: 20, other: 10, unit: "ns")),
      (.cpu(of: part, in: floor), Contrast(subject: 40, other: 20, unit: "ns")),
      (.time(of: part, in: floor, beyond: base), Contrast(subject: 16, other: 6, unit: "ns")),
      (.time(of: base, in: part, beyond: floor), Contrast(subject: 0, other: 10, unit: "ns")),
      (
        .allocatedBytes(of: part, in: floor, and: base), Contrast(subject: 60, other: 42, unit: "bytes")
      ),
      (.memory(of: part), nil), (.time(of: part, in: "State / send / gone"), nil),
    ]
    for (measure, contrast) in measures { #expect(measure.contrast(in: report) == contrast) }
    #expect(Measure.speed(of: part, against: floor)(report) == 0.5)
  }

  @Test("each measure takes its own number from the report")
  func measures() {
    let report = report([group("send", nil, [("floor", 10), ("part", 20)])])
    let (part, floor) = ("State / send / part", "State / send / floor")
    #expect(Measure.time(of: part, in: floor)(report) == 2)
    #expect(Measure.speed(of: floor, against: part)(report) == 2)
    #expect(Measure.cpu(of: part, in: floor)(report) == 2)
    #expect(Measure.allocations(of: part)(report) == 0.5)
    #expect(Measure.allocations(of: part, in: floor)(report) == 1)
    #expect(Measure.allocatedBytes(of: part, in: floor, and: floor)(report) == 1)
    #expect(Measure.allocatedBytes(of: part, in: floor, and: "State / send / gone")(report) == nil)
    #expect(Measure.p99(of: "calls", unit: "", of: part, in: floor)(report) == 1)
    #expect(Measure.p99(of: "other", unit: "", of: part, in: floor)(report) == nil)
    #expect(Measure.memory(of: part)(report) == 4_096)
    #expect(Measure.metric("calls", of: part)(report) == 7)
    #expect(Measure.metric("other", of: part)(report) == nil)
    #expect(Measure.metric("calls", of: part, in: floor)(report) == 1)
    #expect(Measure.metric("other", of: part, in: floor)(report) == nil)
  }

  @Test("measures of metrics take the worst value, a ratio of medians, or a difference that is not negative")
  func metricMeasures() {
    var group = group("frames", nil, [("floor", 10), ("part", 12), ("callback", 50)])
    for (index, values) in [[2.0, 4, 4], [1, 6, 9], [8, 8, 8]].enumerated() {
      group.measurements[index].metrics = [
        MetricResult(name: "renders", unit: "", statistics: Statistics(values))
      ]
    }
    let report = report([group])
    let (floor, part, callback) = (
      "State / frames / floor", "State / frames / part", "State / frames / callback"
    )
    #expect(Measure.worst(of: "renders", of: part)(report) == 9)
    #expect(Measure.metric("renders", of: part, in: floor)(report) == 1.5)
    #expect(Measure.metric("renders", unit: "ms", of: part, beyond: floor)(report) == 2)
    #expect(Measure.metric("renders", unit: "ms", of: floor, beyond: part)(report) == 0)
    #expect(Measure.time(of: part, in: callback, beyond: floor)(report) == 0.05)
    #expect(Measure.time(of: floor, in: callback, beyond: part)(report) == 0)
    #expect(Measure.time(of: part, in: floor, beyond: callback)(report) == nil)
    for measure: Measure in [
      .worst(of: "other", of: part), .metric("other", of: part, in: floor),
      .metric("other", unit: "ms", of: part, beyond: floor),
      .time(of: part, in: "State / frames / gone", beyond: floor),
    ] {
      #expect(measure(report) == nil)
    }
  }

  @Test("growth compares the worst point of a curve with the point of the smallest x, wherever that stands")
  func growth() {
    let points = [(100, 30.0), (1, 20), (1_000, 26)].map { x, time in
      group("at \(x)", CurvePoint("burst", "observers", x), [("part", time)])
    }
    #expect(Measure.growth(along: "burst", of: "part")(report(points)) == 1.5)
    #expect(Measure.growth(along: "burst", of: "part")(report([points[0]])) == nil)
    #expect(Measure.growth(along: "other", of: "part")(report(points)) == nil)
  }

  @Test("the target for a list compares its growth with the growth of a bare array and dictionary")
  func listGrowth() throws {
    let target = try #require(Targets.all.first { $0.work == "1 to 100,000 items" })
    func verdict(_ list: [Double]) -> TargetResult.Verdict {
      let groups = zip([1, 100, 100_000], zip(list, [66.0, 70, 170])).map { x, times in
        group(
          "add \(x)", CurvePoint(LongListBenchmarks.pageCurve, "items", x),
          [(LongListBenchmarks.listState, times.0), (LongListBenchmarks.bare, times.1)])
      }
      return target.result(in: report(groups)).verdict
    }
    #expect(verdict([80, 85, 200]) == .holds)
    #expect(verdict([80, 85, 300]) == .fallsShort)
  }

  @Test("a check measures only what its targets require")
  func selection() {
    func group(_ title: String, _ point: CurvePoint? = nil) -> BenchmarkGroup {
      BenchmarkGroup(
        section: "S", title: title, unit: "u", reference: "a", point: point,
        benchmarks: ["a", "b", "c"].map { Benchmark($0) { $0 } })
    }
    let groups = [group("one"), group("two"), group("at 1", CurvePoint("curve", "items", 1))]
    let targets = [
      Target("w", "p", .atMost(1), .time(of: "S / one / a", in: "S / one / c")),
      Target("w", "p", .atMost(1), .growth(along: "curve", of: "b")),
    ]
    let required = targets.required(of: groups)
    #expect(
      required.flatMap(\.names) == ["S / one / a", "S / one / c", "S / at 1 / b"])
    #expect(required.last?.point?.curve == "curve")
  }

  @Test("a goal that falls short is not reached; a goal that holds, holds")
  func goal() {
    let groups = [group("send", nil, [("part", 14), ("floor", 10)])]
    func verdict(_ limit: Double) -> TargetResult.Verdict {
      Target("w", "p", .atMost(limit), .time(of: "State / send / part", in: "State / send / floor")).asGoal()
        .result(in: report(groups)).verdict
    }
    #expect(verdict(1.3) == .notReached)
    #expect(verdict(1.5) == .holds)
  }

  @Test("of several results of a target, the middle one counts; of two results, the worse one")
  func middle() {
    func result(_ measured: Double?, _ bound: Bound) -> TargetResult {
      TargetResult(work: "w", promise: "p", bound: bound, unit: "×", measured: measured)
    }
    let times = [1.2, 1.0, 1.05].map { result($0, .atMost(1.1)) }
    #expect(TargetResult.middle(of: times).measured == 1.05)
    #expect(TargetResult.middle(of: times).series == [1.2, 1.0, 1.05])
    #expect(TargetResult.middle(of: Array(times.prefix(2))).measured == 1.2)
    let speeds = [4.0, 6, 7].map { result($0, .atLeast(5)) }
    #expect(TargetResult.middle(of: speeds).measured == 6)
    #expect(TargetResult.middle(of: Array(speeds.prefix(2))).measured == 4)
    #expect(TargetResult.middle(of: [times[0]]).series == nil)
    #expect(TargetResult.middle(of: [times[0], result(nil, .atMost(1.1))]).measured == 1.2)
  }

  @Test("a target that falls short is measured twice more", arguments: [true, false])
  func measuredAgain(holdsLater: Bool) async throws {
    // The workload counts the runs of its benchmark: each begins with a batch of one iteration. If the system
    // delays that batch, other batches of one iteration follow, which are not counted.
    let runs = Mutex(0)
    let lastSize = Mutex(0)
    let wavering = Benchmark("wavering") {
      Workload(
        run: { iterations in
          let last = lastSize.withLock { exchange(&$0, with: iterations) }
          if iterations == 1, last != 1 { runs.withLock { $0 += 1 } }
          for number in 0..<iterations { blackHole(number) }
          return iterations
        },
        metrics: { [Metric("calls", holdsLater && runs.withLock { $0 } > 1 ? 1 : 2)] })
    }
    let group = BenchmarkGroup(
      section: "S", title: "one", unit: "u", reference: "wavering", benchmarks: [wavering])
    let target = Target("w", "p", .atMost(1), .metric("calls", of: "S / one / wavering"))
    let session = try Session(
      Options(["--check", "--quick"]), command: "", suite: BenchmarkSuite(groups: [group], targets: [target]))
    let result = try #require(await session.measure().targets.first)
    #expect(result.series?.count == 3)
    #expect(runs.withLock { $0 } == 3)
    #expect(result.verdict == (holdsLater ? .holds : .fallsShort))
  }

  @Test("if a run is interrupted while it repeats a target, its report says so and its pages do not change")
  func interruptedRepetition() async throws {
    let page = URL.temporaryDirectory.appending(path: "page-\(UUID()).md")
    let json = URL.temporaryDirectory.appending(path: "results-\(UUID()).json")
    defer { for file in [page, json] { try? FileManager.default.removeItem(at: file) } }
    let text = "\(MarkedSection.performance.begin)\nold\n\(MarkedSection.performance.end)\n"
    try text.write(to: page, atomically: true, encoding: .utf8)
    let stop = StopSignal()
    let runs = Mutex(0)
    let lastSize = Mutex(0)
    let benchmark = Benchmark("a") {
      Workload(
        run: { iterations in
          // As above, a run begins with a batch of one iteration.
          let last = lastSize.withLock { exchange(&$0, with: iterations) }
          if iterations == 1, last != 1 { runs.withLock { $0 += 1 } }
          if runs.withLock({ $0 }) > 1 { stop.raise() }
          for number in 0..<iterations { blackHole(number) }
          return iterations
        },
        metrics: { [Metric("calls", 2)] })
    }
    let group = BenchmarkGroup(
      section: "S", title: "one", unit: "u", reference: "a", benchmarks: [benchmark])
    let target = Target("w", "p", .atMost(1), .metric("calls", of: "S / one / a"))
    let session = try Session(
      Options(["--check", "--quick", "--update", page.path, "--json", json.path]), command: "",
      suite: BenchmarkSuite(groups: [group], targets: [target]))
    let report = await session.measure(until: stop)
    #expect(stop.isRaised)
    #expect(report.isInterrupted)
    try session.write(report)
    #expect(try String(contentsOf: page, encoding: .utf8) == text)
    #expect(try Report(json: Data(contentsOf: json)).isInterrupted)
  }

  @Test("a run says what it measures and how long that takes at least, from its plan")
  func announcement() throws {
    func group(_ section: String, _ count: Int) -> BenchmarkGroup {
      BenchmarkGroup(
        section: section, title: "one", unit: "u", reference: "0",
        benchmarks: (0..<count).map { Benchmark("\($0)") { $0 } })
    }
    func text(_ arguments: [String], _ groups: [BenchmarkGroup]) throws -> String {
      try Session(Options(arguments), command: "", suite: BenchmarkSuite(groups: groups, targets: []))
        .announcement
    }
    // Each variant gets at most 4 seconds of a full run, and all of them at most 200 seconds.
    #expect(try text([], [group("S", 1)]) == "Measuring 1 variant of 1 benchmark: at least 4 s.")
    #expect(
      try text([], [group("S", 30), group("T", 70)])
        == "Measuring 100 variants of 2 benchmarks: at least 3 min 20 s.")
    #expect(
      try text(["--quick", "--filter", "S"], [group("S", 10), group("T", 90)])
        == "Measuring 10 variants of 1 benchmark: at least 8 s.")
  }

  @Test("a run measures the machine once in each section")
  func coreShares() async throws {
    let groups = [("S", "one"), ("S", "two"), ("T", "three")].map { section, title in
      BenchmarkGroup(
        section: section, title: title, unit: "u", reference: "a",
        benchmarks: [.timed("a") { _ in throw CancellationError() }])
    }
    let session = try Session(
      Options(["--quick"]), command: "", suite: BenchmarkSuite(groups: groups, targets: []))
    let shares = try #require(await session.measure().coreShares)
    #expect(shares.count == 2)
    for share in shares { #expect(share > 0 && share <= 1) }
  }

  #if os(Linux)
    @Test("if one file cannot be written, the others are written before the error is thrown")
    func fullDisk() throws {
      let markdown = URL.temporaryDirectory.appending(path: "results-\(UUID()).md")
      defer { try? FileManager.default.removeItem(at: markdown) }
      let group = BenchmarkGroup(
        section: "S", title: "one", unit: "u", reference: "a", benchmarks: [Benchmark("a") { $0 }])
      let session = try Session(
        Options(["--json", "/dev/full", "--markdown", markdown.path]), command: "",
        suite: BenchmarkSuite(groups: [group], targets: []))
      let report = Report(
        date: Date(), machine: .current, mode: "test", command: "", isInterrupted: false, groups: [])
      #expect(throws: UsageError.self) { try session.write(report) }
      #expect(FileManager.default.fileExists(atPath: markdown.path))
    }
  #endif

  #if os(macOS) || os(Linux)
    @Test(
      "a filter that selects nothing is an error; a target whose benchmark does not exist ends the program"
    )
    func sessions() async throws {
      let group = BenchmarkGroup(
        section: "S", title: "one", unit: "u", reference: "a", benchmarks: [Benchmark("a") { $0 }])
      let target = Target("w", "p", .atMost(1), .allocations(of: "S / one / a"))
      #expect(throws: UsageError.nothingSelected(flag: "--filter", value: "other")) {
        try Session(
          Options(["--check", "--filter", "other"]), command: "",
          suite: BenchmarkSuite(groups: [group], targets: [target]))
      }
      #expect(throws: Never.self) {
        try Session(
          Options(["--check", "--filter", "one"]), command: "",
          suite: BenchmarkSuite(groups: [group], targets: [target]))
      }
      await #expect(processExitsWith: .failure) {
        let gone = Target("w", "p", .atMost(1), .allocations(of: "S / gone / a"))
        _ = try Session(Options([]), command: "", suite: BenchmarkSuite(groups: [], targets: [gone]))
      }
    }
  #endif
}
