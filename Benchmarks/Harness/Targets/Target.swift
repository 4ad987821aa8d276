/// One claim about speed or thrift that a run can check.
struct Target: Sendable {
  /// The work of which the claim is: "send, nobody waiting".
  let work: String
  /// The claim in words: "at most 1.4 × a bare Mutex".
  let promise: String
  let bound: Bound
  let measure: Measure
  /// Whether it stands in the README's short table.
  private(set) var isHeadline = false

  init(_ work: String, _ promise: String, _ bound: Bound, _ measure: Measure) {
    self.work = work
    self.promise = promise
    self.bound = bound
    self.measure = measure
  }

  /// What `report` says about the claim.
  func result(in report: Report) -> TargetResult {
    TargetResult(
      work: work, promise: promise, bound: bound, unit: measure.unit, measured: measure(report),
      isHeadline: isHeadline, subjectTime: measure.subject.flatMap(report.variant)?.time.median,
      yardstickTime: measure.yardstick.flatMap(report.variant)?.time.median,
      isUnsteady: measure.needs.contains(where: report.isUnsteady))
  }

  /// The same, in the README's short table.
  var asHeadline: Target {
    var headline = self
    headline.isHeadline = true
    return headline
  }
}

extension [Target] {
  /// Those of which all that they need is among `groups`.
  func answered(by groups: [BenchmarkGroup]) -> [Target] {
    filter { target in
      target.measure.needs.allSatisfy { need in
        groups.contains { group in group.benchmarks.contains { need.selects($0, of: group) } }
      }
    }
  }

  /// What of `groups` has to be measured to check all of these claims.
  func needed(of groups: [BenchmarkGroup]) -> [BenchmarkGroup] {
    let needs = flatMap(\.measure.needs)
    return groups.compactMap { group in
      group.keeping { benchmark in needs.contains { $0.selects(benchmark, of: group) } }
    }
  }
}
