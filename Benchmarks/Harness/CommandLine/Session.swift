import Foundation

/// One run of a program that measures, from its options to its exit code.
struct Session: Sendable {
  let options: Options
  /// What was typed, for the reports.
  let command: String
  private let groups: [BenchmarkGroup]
  private let targets: [Target]
  private let outputs: Outputs
  private let baseline: Report?

  /// - Parameters:
  ///   - groups: all that can be measured.
  ///   - targets: all that is claimed.
  /// - Throws: ``UsageError``, before anything is measured.
  init(_ options: Options, command: String, groups: [BenchmarkGroup], targets: [Target]) throws(UsageError) {
    self.options = options
    self.command = command
    for target in targets where [target].answered(by: groups).isEmpty {
      preconditionFailure(
        "the target '\(target.work): \(target.promise)' needs a benchmark that is not there")
    }
    var selected = groups
    if let pattern = options.filter { selected = try Filter(pattern).selection(of: groups) }
    if options.isCheck {
      self.targets = targets.answered(by: selected)
      self.groups = self.targets.needed(of: selected)
      if self.groups.isEmpty { throw .nothingSelected(filter: options.filter ?? "") }
    } else {
      self.targets = targets
      self.groups = selected
    }
    outputs = try Outputs(options)
    baseline = if let path = options.baseline { try InputFile.report(path) } else { nil }
  }

  var usesServer: Bool { groups.contains(where: \.usesServer) }

  /// Measures, prints and writes.
  /// - Returns: the exit code.
  func run() async throws -> Int32 {
    let report = await measure()
    print(report.table())
    try outputs.write(report)
    let comparison = baseline.map { Comparison(of: report, with: $0) }
    if let comparison { print(comparison.text()) }

    if report.isInterrupted { return 130 }
    let fallsShort = options.isCheck && report.targets.contains { $0.verdict == .fallsShort }
    return report.hasFailures || fallsShort || comparison?.hasRegressions == true ? 1 : 0
  }

  /// Measures, and says nothing of it.
  func measure() async -> Report {
    let stop = StopSignal()
    let interruption = Interruption(raising: stop)
    defer { interruption.cancel() }
    let progress = ProgressLine()
    var mode = options.mode
    if let samples = options.samples { mode.minimumSamples = samples }
    let runner = Runner(mode: mode, stop: stop) { progress.show($0) }
    let results = await runner.run(groups)
    var report = Report(
      date: Date(), machine: .current, mode: mode.name, command: command, isInterrupted: stop.isRaised,
      groups: results)
    let outcomes = targets.map { $0.result(in: report) }
    report.targets =
      options.isCheck
      ? await settled(outcomes, in: report, by: runner) : outcomes.filter { $0.verdict != .notMeasured }
    progress.clear()
    return report
  }

  /// Measures what fell short twice more: the middle of the three runs counts, so that no moment of the machine decides.
  private func settled(
    _ outcomes: [TargetResult], in report: Report, by runner: Runner
  ) async -> [TargetResult] {
    var runs = outcomes.map { [$0] }
    let doubtful = outcomes.indices.filter { outcomes[$0].verdict == .fallsShort }
    for _ in 0..<2 where !doubtful.isEmpty && !runner.stop.isRaised {
      let again = report.replacingGroups(
        with: await runner.run(doubtful.map { targets[$0] }.needed(of: groups)))
      for index in doubtful { runs[index].append(targets[index].result(in: again)) }
    }
    return runs.map { TargetResult.middle(of: $0) }
  }
}
