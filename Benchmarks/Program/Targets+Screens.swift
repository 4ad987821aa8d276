import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine
import StorefrontTesting

/// Promises about long lists, and about what a screen costs.
extension Targets {
  static var longLists: [Target] {
    let reload = "Product list / \(LongListBenchmarks.reloadTitle)"
    // A page of one item mostly measures what a list costs without its items.
    return LongListBenchmarks.pageSizes.filter { $0 > 1 }.map { count in
      let group = "Product list / \(LongListBenchmarks.pageTitle(count))"
      return Target(
        "\(LongListBenchmarks.pageTitle(count)), per item", "≤ 1.5 × a bare array and dictionary",
        .atMost(1.5),
        .time(
          of: "\(group) / \(LongListBenchmarks.listState)", in: "\(group) / \(LongListBenchmarks.bare)"))
    } + [
      Target(
        LongListBenchmarks.reloadTitle, "≤ 1 × a comparison of the items with ==", .atMost(1),
        .time(
          of: "\(reload) / \(LongListBenchmarks.listState)",
          in: "\(reload) / \(LongListBenchmarks.comparison)")
      ),
      Target(
        LongListBenchmarks.reloadTitle, "no allocation", .atMost(0.005),
        .allocations(of: "\(reload) / \(LongListBenchmarks.listState)")),
      Target(
        LongListBenchmarks.wholeListTitle(LongListBenchmarks.lengths.long),
        "CPU per page ≤ 1.3 × that of a list of \(LongListBenchmarks.lengths.short.grouped) items",
        .atMost(1.3),
        .cpu(of: wholeList(LongListBenchmarks.lengths.long), in: wholeList(LongListBenchmarks.lengths.short))),
    ]
  }

  private static func wholeList(_ count: Int) -> String {
    "Product list / \(LongListBenchmarks.wholeListTitle(count)) / \(MigrationStage.async.variant)"
  }

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
      ]
        + [
          (ScreenBenchmarks.bytes, "bytes"), (ScreenBenchmarks.openTime, "time to open"),
          (ScreenBenchmarks.closeTime, "time to close"),
        ].map { metric, words in
          Target(
            manyTitle, "≤ 1 × the closure stage's \(words)", .atMost(1),
            .metric(metric, of: "\(many) / \(async)", in: "\(many) / \(closure)"))
        }
    }
  }
}
