import AsyncViewModelsBenchmarkHarness
import StorefrontLoopbackServer

extension BenchmarkSuite {
  /// All benchmarks in the order of the table: first those of the toolkit's parts, then those of a screen's frames and of
  /// the sample app's features.
  static func groups(server: ServerProcess, catalog: Catalog = .seeded()) -> [BenchmarkGroup] {
    parts + FrameBenchmarks.groups(executable: server.executable) + features(server: server, catalog: catalog)
  }

  private static var parts: [BenchmarkGroup] {
    [ParallelBenchmarks.waiting] + StateBenchmarks.groups + IdleBenchmarks.groups + WriterBenchmarks.groups
      + RecorderBenchmarks.groups + EventBenchmarks.groups
      + HopBenchmarks.groups + DebounceBenchmarks.groups + BridgeBenchmarks.groups + ParallelBenchmarks.groups
      + ListSnapshotBenchmarks.groups
  }

  private static func features(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    let last = [
      CatalogBenchmarks.loading(catalog), ProfileBenchmarks.opening(catalog),
      DetailBenchmarks.opening(catalog),
    ]
    return ProductListBenchmarks.groups(server: server, catalog: catalog) + LongListBenchmarks.groups
      + [SearchBenchmarks.answers(catalog).group, TypingBenchmarks.group]
      + [CartBenchmarks.shownChanges(catalog).group, CartWriterBenchmarks.confirmedAdds]
      + CartWriterBenchmarks.curve
      + [PostsBenchmarks.undoneDeletions(catalog).group]
      + DashboardBenchmarks.groups(server: server, catalog: catalog) + last.map(\.group)
      + ScreenBenchmarks.groups + ServiceBenchmarks.groups(server: server) + LongBodyBenchmarks.groups
  }
}
