import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine
import StorefrontTesting

/// Promises about long lists.
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
}
