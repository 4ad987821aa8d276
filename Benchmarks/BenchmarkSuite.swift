import ViewModelTesting

/// All that can be measured, in the order of the table: the parts, then the features that are made of them.
enum BenchmarkSuite {
  static func groups(origin: OriginProcess, catalog: Catalog = .seeded()) -> [BenchmarkGroup] {
    parts + features(origin: origin, catalog: catalog)
  }

  private static var parts: [BenchmarkGroup] {
    [ParallelBenchmarks.waiting] + StateBenchmarks.groups + IdleBenchmarks.groups + WriterBenchmarks.groups
      + EventBenchmarks.groups
      + HopBenchmarks.groups + BridgeBenchmarks.groups + ParallelBenchmarks.groups + SnapshotBenchmarks.groups
  }

  private static func features(origin: OriginProcess, catalog: Catalog) -> [BenchmarkGroup] {
    ProductListBenchmarks.groups(origin: origin, catalog: catalog)
      + LongListBenchmarks.groups
      + SearchBenchmarks.groups(origin: origin, catalog: catalog) + [TypingBenchmarks.group]
      + CartBenchmarks.groups(origin: origin, catalog: catalog)
      + DashboardBenchmarks.groups(origin: origin, catalog: catalog)
  }
}
