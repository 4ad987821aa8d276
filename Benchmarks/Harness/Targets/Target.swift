/// A promise about speed or resources that a run can check.
public struct Target: Sendable {
  /// The work that the promise is about: "send without observers".
  package let work: String
  /// The promise in words: "at most 1.4 × a bare Mutex".
  package let promise: String
  let bound: Bound
  package let measure: Measure
  /// The title of the section in which reports list the target.
  package private(set) var section: String?
  /// The row of the target in the summary; `nil` if the summary lacks the target.
  package private(set) var headline: Headline?
  /// Whether the target is a goal that is not reached yet. Reports show its result, and no run fails because of it.
  package private(set) var isGoal = false

  /// Creates a promise from the work, the promise in words, its limit, and the measurement that checks it.
  public init(_ work: String, _ promise: String, _ bound: Bound, _ measure: Measure) {
    self.work = work
    self.promise = promise
    self.bound = bound
    self.measure = measure
  }

  /// What `report` says about the promise.
  func result(in report: Report) -> TargetResult {
    TargetResult(
      work: work, promise: promise, bound: bound, unit: measure.unit, measured: measure(report),
      section: section, headline: headline, isGoal: isGoal, contrast: measure.contrast(in: report),
      isUnsteady: measure.requirements.contains(where: report.isUnsteady))
  }

  /// The same target, in a section of the reports.
  package func inSection(_ title: String) -> Target {
    var target = self
    target.section = title
    return target
  }

  /// The same target, as a goal that is not reached yet.
  public func asGoal() -> Target {
    var target = self
    target.isGoal = true
    return target
  }

  /// The same target, as part of the summary.
  ///
  /// - Parameters:
  ///   - work: The work in at most 27 characters.
  ///   - floor: What the work is compared with, in at most 21 characters.
  package func asHeadline(_ work: String, beside floor: String) -> Target {
    var target = self
    target.headline = Headline(work: work, floor: floor)
    return target
  }
}

/// The short names of a target's work, and of what the work is compared with.
package struct Headline: Codable, Equatable, Sendable {
  let work: String
  let floor: String
}

/// The limit of a measured number.
public enum Bound: Codable, Equatable, Sendable {
  /// The measured number must not be larger.
  case atMost(Double)
  /// The measured number must not be smaller.
  case atLeast(Double)

  func admits(_ value: Double) -> Bool {
    switch self {
    case .atMost(let limit): value <= limit
    case .atLeast(let limit): value >= limit
    }
  }
}

extension [Target] {
  /// The targets whose requirements are all among `groups`.
  func answerable(by groups: [BenchmarkGroup]) -> [Target] {
    filter { target in
      target.measure.requirements.allSatisfy { requirement in
        groups.contains { group in group.benchmarks.contains { requirement.selects($0, of: group) } }
      }
    }
  }

  /// The part of `groups` that these targets require.
  func required(of groups: [BenchmarkGroup]) -> [BenchmarkGroup] {
    let requirements = flatMap(\.measure.requirements)
    return groups.compactMap { group in
      group.keeping { benchmark in requirements.contains { $0.selects(benchmark, of: group) } }
    }
  }
}
