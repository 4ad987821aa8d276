/// All that can be measured, in the order of the table.
enum Suite {
  static func groups() -> [BenchmarkGroup] {
    StateBenchmarks.groups + EventBenchmarks.groups + HopBenchmarks.groups
  }
}
