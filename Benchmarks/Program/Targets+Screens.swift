import AsyncViewModelsBenchmarkHarness
import StorefrontTesting

/// Promises about what a screen costs.
extension Targets {
  static var screens: [Target] {
    ScreenBenchmarks.Feature.allCases.flatMap { feature in
      let (visitTitle, manyTitle) = (
        ScreenBenchmarks.visitTitle(feature), ScreenBenchmarks.manyTitle(feature)
      )
      let (visit, many) = ("Screens / \(visitTitle)", "Screens / \(manyTitle)")
      let (async, closure) = (MigrationStage.async.variant, MigrationStage.closure.variant)
      return [
        Target(
          visitTitle, "≤ 1 × the closure stage's time", .atMost(1),
          .time(of: "\(visit) / \(async)", in: "\(visit) / \(closure)")),
        Target(
          visitTitle, "≤ 1 × the closure stage's allocations", .atMost(1),
          .allocations(of: "\(visit) / \(async)", in: "\(visit) / \(closure)")),
        Target(
          // The closure stage delivers a state in a block, and the async stage in a task. Each task has a stack of 1 KB.
          visitTitle, "≤ 1 × the closure stage's bytes plus those of a task that does nothing", .atMost(1),
          .allocatedBytes(
            of: "\(visit) / \(async)",
            in: "\(visit) / \(closure)", and: "\(visit) / \(ScreenBenchmarks.emptyTaskVariant)")),
        Target(
          "\(manyTitle), each", "≤ 1 × the closure stage's time", .atMost(1),
          .time(of: "\(many) / \(async)", in: "\(many) / \(closure)")),
        Target(
          "\(manyTitle), each", "≤ 1 × the closure stage's allocations", .atMost(1),
          .allocations(of: "\(many) / \(async)", in: "\(many) / \(closure)")),
        Target(
          "\(manyTitle), each", "≤ 1 × the closure stage's bytes", .atMost(1),
          .metric(ScreenBenchmarks.bytes, unit: "bytes", of: "\(many) / \(async)", in: "\(many) / \(closure)")
        ),
      ]
    }
  }
}
