import AsyncViewModelsCommandLine
import Foundation
import Synchronization

/// One measuring run of a program, from its options to its exit code.
struct Session: Sendable {
  private let options: Options
  private let command: String
  private let groups: [BenchmarkGroup]
  private let targets: [Target]
  private let outputs: [Output?]
  private let pages: [MarkedPage]
  private let baseline: Report?

  /// Checks the options and the files, so that their errors come before the first measurement.
  ///
  /// - Parameter command: The command of this run without its files, for the reports.
  /// - Throws: ``UsageError``.
  /// - Precondition: Every target needs only benchmarks of the suite.
  init(_ options: Options, command: String, suite: BenchmarkSuite) throws(UsageError) {
    self.options = options
    self.command = command
    for target in suite.targets where [target].answerable(by: suite.groups).isEmpty {
      preconditionFailure(
        "the target '\(target.work): \(target.promise)' needs a benchmark that does not exist")
    }
    let selected = try suite.groups.selected(by: options.filters)
    if options.isCheck {
      targets = suite.targets.answerable(by: selected)
      groups = targets.required(of: selected)
      if groups.isEmpty {
        throw .nothingSelected(
          flag: [BenchmarkGroup].filterFlag, value: options.filters.joined(separator: " or "))
      }
    } else {
      targets = suite.targets
      groups = selected
    }
    let curves = groups.compactMap { $0.point?.curve }.uniqued()
    let pictures = options.pictures.map { folder in
      Report.pictureNames(curves: curves).map { "\(folder)/\($0)" }
    }
    try OutputFile.requireDifferent(options.outputs + (pictures ?? []).map { ("--pictures", $0) })
    for picture in pictures ?? [] { _ = try OutputFile(path: picture) }
    outputs = [
      try Output(options.json) { try $0.json() }, try Output(options.markdown) { $0.markdown() },
      try Output(options.html) { $0.html() },
    ]
    pages = try options.pages.map { path throws(UsageError) in
      try MarkedPage(path, section: .performance)
    }
    baseline = if let path = options.baseline { try Report(contentsOf: path) } else { nil }
  }

  var usesServer: Bool { groups.contains(where: \.usesServer) }

  /// What the run measures, and how long it takes.
  var announcement: String {
    let variants = groups.map(\.benchmarks.count).reduce(0, +)
    let (work, parts) = (Quantity.count(groups.count, "benchmark"), Quantity.count(variants, "variant"))
    return "Measuring \(parts) of \(work): at least \(Quantity.wait(options.mode.least(for: variants)))."
  }

  /// Measures the benchmarks, writes the files, and prints the report.
  ///
  /// - Returns: The exit code.
  func run() async throws -> Int32 {
    writeToStandardError(announcement + "\n")
    let report = await measure()
    // If a file cannot be written, the run still prints its results before it fails.
    let files = Result { try write(report) }
    let comparison = baseline.map { Comparison(of: report, with: $0) }
    let results = options.isSummary ? report.summary() ?? report.table() : report.table()
    try writeToStandardOutput(results + (comparison.map { "\n" + $0.text() } ?? ""))
    try files.get()

    if report.isInterrupted { return ExitCode.interrupted }
    let fallsShort = options.isCheck && report.targets.contains { $0.verdict == .fallsShort }
    let isFailure = report.hasFailures || fallsShort || comparison?.hasRegressions == true
    return isFailure ? ExitCode.failure : ExitCode.success
  }

  /// Writes the files. The pages of an interrupted run, and the pictures of a run that is interrupted or has a failed benchmark, stay as
  /// they are, because they would lack results.
  ///
  /// - Throws: The error of the first file that cannot be written, after all other files are written.
  func write(_ report: Report) throws {
    var results = outputs.map { output in Result { try output?.write(report) } }
    if !report.isInterrupted {
      results += pages.map { page in Result { try page.write(report.targetsTables) } }
    }
    if let folder = options.pictures, !report.isInterrupted, !report.hasFailures {
      results += report.pictures.map { name, contents in
        Result { try OutputFile(path: "\(folder)/\(name)").write(contents) }
      }
    }
    for result in results { try result.get() }
  }

  /// Measures without printing.
  ///
  /// - Parameter stop: Ends the run early. Ctrl-C raises it.
  func measure(until stop: StopSignal = StopSignal()) async -> Report {
    let interruption = Interruption(raising: stop)
    defer { interruption.cancel() }
    let progress = ProgressLine()
    defer { progress.clear() }
    let shares = Mutex<[Int: Double]>([:])
    let runner = Runner(mode: options.mode, stop: stop) { step in
      if shares.withLock({ $0[step.sectionNumber] }) == nil {
        let share = CoreShare.measured()
        shares.withLock { $0[step.sectionNumber] = share }
        if step.sectionNumber == 0, let note = CoreShare.note(share) { writeToStandardError(note + "\n") }
      }
      progress.show(step.line, step: step.sectionNumber, logText: step.logLine)
    }
    let results = await runner.run(groups)
    var report = Report(
      date: Date(), machine: .current, mode: options.mode.name, command: command,
      isInterrupted: false, groups: results)
    let outcomes = targets.map { $0.result(in: report) }
    report.targets =
      options.isCheck
      ? await settled(outcomes, in: report, by: runner) : outcomes.filter { $0.verdict != .notMeasured }
    report.coreShares = shares.withLock { shares in shares.sorted { $0.key < $1.key }.map(\.value) }
    report.isInterrupted = stop.isRaised
    return report
  }

  /// Runs two further measurements of each target that fell short. The middle of the three results counts, so that one bad
  /// moment of the machine does not decide.
  private func settled(
    _ outcomes: [TargetResult], in report: Report, by runner: Runner
  ) async -> [TargetResult] {
    var runs = outcomes.map { [$0] }
    let doubtful = outcomes.indices.filter { outcomes[$0].verdict == .fallsShort }
    for _ in 0..<2 where !doubtful.isEmpty && !runner.stop.isRaised {
      var again = report
      again.groups = await runner.run(doubtful.map { targets[$0] }.required(of: groups))
      for index in doubtful { runs[index].append(targets[index].result(in: again)) }
    }
    return runs.map { TargetResult.middle(of: $0) }
  }
}

extension Report {
  /// Reads the results of an earlier run.
  ///
  /// - Throws: ``UsageError/unreadable(path:reason:)``.
  fileprivate init(contentsOf path: String) throws(UsageError) {
    let data = try InputFile.read(path)
    do { self = try Report(json: data) } catch {
      let reason = (error as? DecodingError)?.reason ?? "\(error)"
      throw .unreadable(path: path, reason: "not written by --json of this version: \(reason)")
    }
  }
}

/// A file that a run writes. The initializer checks that the file is writable, before the first measurement.
private struct Output: Sendable {
  private let file: OutputFile
  private let contents: @Sendable (Report) throws -> String

  /// Checks that the file at `path` is writable. Returns `nil` if `path` is `nil`.
  init?(_ path: String?, _ contents: @escaping @Sendable (Report) throws -> String) throws(UsageError) {
    guard let path else { return nil }
    file = try OutputFile(path: path)
    self.contents = contents
  }

  func write(_ report: Report) throws { try file.write(contents(report)) }
}

extension DecodingError {
  /// The place and the reason, in one line.
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, let context): Self.reason(context, "it has no field '\(key.stringValue)'")
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      Self.reason(context, context.debugDescription)
    @unknown default: "\(self)"
    }
  }

  private static func reason(_ context: Context, _ text: String) -> String {
    let place = context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
    return (place.isEmpty ? "" : place.joined(separator: ".") + ": ") + text.replacing("\n", with: " ")
  }
}
