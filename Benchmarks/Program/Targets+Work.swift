import AsyncViewModelsBenchmarkHarness

/// Promises about idle observers, bridges, and parallel work.
extension Targets {
  static var idle: [Target] {
    [("concrete", 256.0), ("AsyncStream", 700)].map { form, limit in
      let target = Target(
        "10,000 idle observers, \(form)", "≤ \(Int(limit)) bytes each, their tasks not counted",
        .atMost(limit),
        .metric(
          IdleBenchmarks.bytes, unit: "bytes",
          of: "State / 10,000 idle observers / StateStore, \(form)"))
      return form == "AsyncStream"
        ? target.asHeadline("an idle observer", beside: "at most 700 bytes") : target
    }
  }

  static var recorder: [Target] {
    let group = "State / \(RecorderBenchmarks.title)"
    let event = "\(group) / \(RecorderBenchmarks.event)"
    return [
      Target(
        RecorderBenchmarks.title, "≤ 2 × a clock and a counter", .atMost(2),
        .time(of: event, in: "\(group) / \(RecorderBenchmarks.floor)")),
      Target(RecorderBenchmarks.title, "no allocation", .atMost(0.005), .allocations(of: event)),
    ]
  }

  static var bridges: [Target] {
    BridgeBenchmarks.titles.map { title in
      let target = Target(
        title, "≤ 1.25 × \(BridgeBenchmarks.bare) around the same call", .atMost(1.25),
        .time(
          of: "Bridges / \(title) / \(BridgeBenchmarks.bridge)",
          in: "Bridges / \(title) / \(BridgeBenchmarks.bare)"))
      return title == BridgeBenchmarks.titles.first
        ? target.asHeadline("await a callback", beside: "checked continuation") : target
    }
  }

  static var parallel: [Target] {
    [ParallelBenchmarks.parts, ParallelBenchmarks.limited].flatMap { variant in
      let name = "Parallel / \(ParallelBenchmarks.dashboardTitle) / \(variant)"
      let work = "\(ParallelBenchmarks.dashboardTitle): \(variant)"
      return [
        Target(
          work, "wall ≤ 1.1 × ideal", .atMost(1.1),
          .metric(ParallelBenchmarks.wallMetric, unit: "×", of: name)),
        Target(work, "≤ 4 threads", .atMost(4), .threads(of: name)),
      ]
    }
  }
}
