/// All that can be measured, in the order of the table.
enum BenchmarkSuite {
  static func groups(origin: OriginProcess) -> [BenchmarkGroup] {
    StateBenchmarks.groups + EventBenchmarks.groups + HopBenchmarks.groups + CartBenchmarks.groups
  }
}
