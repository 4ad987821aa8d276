import ViewModelTesting

/// A piece of a feature's work, as each stage does it.
///
/// Timed from the intent to the state in which its outcome shows, as that stage's user comes to see it: the closure
/// stage's through the observer that is bound, the others' through their stream.
struct FeatureBenchmark: Sendable {
  let feature: String
  let title: String
  let unit: String
  /// Whether the HTTP origin has to serve meanwhile.
  var usesOrigin = false
  /// Builds the view model of a stage, with its observer, and says how to repeat the work.
  let workload: @Sendable (Stage) async throws -> Workload

  /// One variant for each stage, compared with where a migration begins.
  var group: BenchmarkGroup {
    let workload = workload
    return BenchmarkGroup(
      section: feature, title: title, unit: unit, reference: Self.variant(.closure), usesOrigin: usesOrigin,
      benchmarks: Stage.allCases.map { stage in
        Benchmark(Self.variant(stage)) { try await workload(stage) }
      })
  }

  private static func variant(_ stage: Stage) -> String { "\(stage) stage" }
}
