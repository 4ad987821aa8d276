import AsyncViewModels
import AsyncViewModelsBenchmarkHarness

/// Claims about observers that idle, bridges, and coordinated parts.
extension Targets {
  static var idle: [Target] {
    [("concrete", 256.0), ("AsyncStream", 700)].map { form, limit in
      Target(
        "10,000 idle observers, \(form)", "≤ \(Int(limit)) bytes each, their tasks not counted",
        .atMost(limit),
        .figure(
          IdleBenchmarks.bytes, unit: "bytes",
          of: "State / 10,000 idle observers / ObservableState, \(form)")
      ).asHeadline
    }
  }

  static var bridges: [Target] {
    BridgeBenchmarks.titles.map { title in
      Target(
        title, "≤ 1.25 × \(BridgeBenchmarks.bare) around the same call", .atMost(1.25),
        .time(
          of: "Bridges / \(title) / \(BridgeBenchmarks.bridge)",
          in: "Bridges / \(title) / \(BridgeBenchmarks.bare)"))
    }
  }

  static var parallel: [Target] {
    [ParallelBenchmarks.parts, ParallelBenchmarks.limited].flatMap { variant in
      let name = "Parallel / \(ParallelBenchmarks.dashboardTitle) / \(variant)"
      let work = "\(ParallelBenchmarks.dashboardTitle): \(variant)"
      return [
        Target(
          work, "wall ≤ 1.1 × ideal", .atMost(1.1),
          .figure(ParallelBenchmarks.wallFigure, unit: "×", of: name)),
        Target(work, "≤ 4 threads", .atMost(4), .threads(of: name)),
      ]
    }
  }
}

extension Measure {
  /// How many threads `name` ran on.
  fileprivate static func threads(of name: String) -> Measure {
    Measure(needs: [.variant(name)], unit: "") { $0.variant(name)?.threads.map(Double.init) }
  }
}
