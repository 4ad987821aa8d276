extension RecordedContract {
  /// Runs a random script for each seed. Fails at the first difference between stages.
  ///
  /// - Parameters:
  ///   - seeds: The seeds, one for each script and its interleaving.
  ///   - threads: The number of threads that run scripts at the same time.
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  /// - Returns: The statistics of the runs.
  /// - Throws: ``SimulationFailure``. Its reason is the reduced script as a test.
  @discardableResult
  public func compare(
    seeds: ClosedRange<UInt64> = 1...1_000, threads: Int = 1, file: String = #fileID, line: Int = #line
  ) async throws(SimulationFailure) -> SimulationSummary {
    try await simulate(seeds: seeds, queues: queues, threads: threads) { world in
      await compare(in: world, file: file, line: line)
    }
  }

  /// Runs one script, as a failure prints it.
  ///
  /// - Parameters:
  ///   - script: The steps.
  ///   - requestsHearCancellation: Whether a cancelled request fails at once.
  ///   - seeds: The interleavings to run.
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  /// - Throws: ``SimulationFailure`` if stages differ.
  public func compare(
    _ script: [Step], requestsHearCancellation: Bool = false, seeds: ClosedRange<UInt64> = 1...100,
    file: String = #fileID, line: Int = #line
  ) async throws(SimulationFailure) {
    try await simulate(seeds: seeds, queues: queues) { world in
      await compare(script, requestsHearCancellation, in: world, file: file, line: line)
    }
  }

  /// Runs a random script in a world, which fails at the first difference between stages.
  public func compare(in world: SimulatedWorld, file: String = #fileID, line: Int = #line) async {
    // The reduction of a failing run prefers the first choice, which leaves the step out.
    let script = (0..<length).compactMap { _ in
      let choice = world.choose(steps.count + 1)
      return choice == 0 ? nil : steps[choice - 1]
    }
    await compare(script, world.flip(), in: world, file: file, line: line)
  }

  private func compare(
    _ script: [Step], _ hearsCancellation: Bool, in world: SimulatedWorld, file: String, line: Int
  ) async {
    var script = script
    var runs = stages.map { stage in
      StageRun<Intent>(
        make, Recording(stage, in: world, hearsCancellation: hearsCancellation, error: cancellationError))
    }
    var (taken, isFailed) = (0, false)
    func compareStages(_ place: String, _ lines: (Recording) -> [String]) {
      let all = runs.map { (stage: $0.recording.stage, lines: lines($0.recording)) }
      guard let difference = Self.difference(of: all) else { return }
      isFailed = true
      let steps = script[..<taken].map { "    \($0),\n" }.joined()
      let call = "\(name).compare(\(steps.isEmpty ? "[]" : "[\n\(steps)  ]")"
      world.fail(
        """
        the stages differ \(place) this script:

          try await \(call)\(hearsCancellation ? ", requestsHearCancellation: true" : ""))

        \(difference)
        """, file: file, line: line)
    }

    for run in runs { await run.open() }
    var former: [StageRun<Intent>] = []
    await world.settle(movingTime: false)
    compareStages("after the last step of") { $0.endStep(without: mayDiffer) }
    while !isFailed, taken < script.count {
      switch script[taken] {
      case .perform(let intent): for run in runs { run.perform(intent) }
      case .answer(let request, let answer):
        let same = runs.map { $0.recording.answer(request, with: answer) }
        if let first = same[0] { script[taken] = .answer(first.request, with: first.answer) }
      case .wait(let time): try? await world.clock.sleep(for: .milliseconds(time))
      case .leave:
        for run in runs { run.close() }
        await world.settle(movingTime: false)
        for run in runs { await run.open() }
      case .restart:
        former += runs
        runs = runs.map { $0.restarted() }
        for run in runs { await run.open() }
      }
      await world.settle(movingTime: false)
      taken += 1
      compareStages("after the last step of") { $0.endStep(without: mayDiffer) }
    }
    former += runs
    // Each intent ends, or the world fails.
    repeat { await world.settle() } while former.count { $0.recording.failAll() } > 0
    for run in former { run.close() }
    await world.settle(movingTime: false)
    if !isFailed { compareStages("when their screens have left, after") { $0.values(without: mayDiffer) } }
    for run in former { run.recording.end() }
  }

  /// Returns the lines in which the stages differ, or `nil` if they do not differ.
  private static func difference(of all: [(stage: String, lines: [String])]) -> String? {
    guard let first = all.first, all.contains(where: { $0.lines != first.lines }) else { return nil }
    let common = all.map { Set($0.lines) }.reduce(Set(first.lines)) { $0.intersection($1) }
    return all.map { stage, lines in
      (["\(stage):"] + lines.filter { !common.contains($0) }).joined(separator: "\n  ")
    }.joined(separator: "\n")
  }
}

/// A view model of one stage, and its recording.
private final class StageRun<Intent: Sendable> {
  private let make: RecordedContract<Intent>.Stage
  let recording: Recording
  private var performing: RecordedContract<Intent>.Perform?

  init(_ make: @escaping RecordedContract<Intent>.Stage, _ recording: Recording) {
    self.make = make
    self.recording = recording
  }

  func open() async { performing = await make(recording) }

  func close() {
    performing = nil
    recording.leave()
  }

  func restarted() -> StageRun { StageRun(make, recording.restarted()) }

  func perform(_ intent: Intent) {
    guard let performing else { return }
    recording.start("\(intent)") { await performing(intent) }
  }
}
