import ViewModelTesting

/// All that can be measured, in the order of the table: the parts, then the features that are made of them.
enum BenchmarkSuite {
  static func groups(origin: OriginProcess, catalog: Catalog = .seeded()) -> [BenchmarkGroup] {
    parts + features(origin: origin, catalog: catalog)
  }

  private static var parts: [BenchmarkGroup] {
    StateBenchmarks.groups + EventBenchmarks.groups + HopBenchmarks.groups + SnapshotBenchmarks.groups
  }

  private static func features(origin: OriginProcess, catalog: Catalog) -> [BenchmarkGroup] {
    ProductListBenchmarks.groups(origin: origin, catalog: catalog)
      + SearchBenchmarks.groups(origin: origin, catalog: catalog)
      + CartBenchmarks.groups(origin: origin, catalog: catalog)
      + DashboardBenchmarks.groups(origin: origin, catalog: catalog)
  }
}
