public import Foundation

extension SimulationFailure.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .expectation(let message, let place): "\(message) (\(place))"
    case .expectationOutside(let message, let place):
      "\(message) (\(place)), on a thread outside the world, which the seed does not control"
    case .thrown(let error, let task): "\(task) threw \(error)"
    case .deadlock(let waiting):
      """
      deadlock: no job is ready and no task waits for the clock, but these have not ended: \
      \(waiting.joined(separator: ", ")). They wait for each other, for a continuation that is never \
      resumed, or for something outside the world
      """
    case .livelock(let steps, let running):
      "livelock: still running after \(steps) steps; \(running) ran last"
    case .unfinished(let names):
      "still suspended at the end, with nothing left to resume them: \(names.joined(separator: ", "))"
    case .leftTheWorld(let name, let call?):
      "\(name) left the world by \(call), which this world does not simulate"
    case .blocked(let name, let seconds):
      """
      \(name) has blocked its thread for \(seconds) seconds: it waits for a lock that a waiting job holds, or for \
      something outside the world, or it runs forever. The simulation cannot tell whether it would end
      """
    case .trapped(let name, let call): "\(name) would end the process: \(call)"
    case .leftTheWorld(let name, nil):
      """
      \(name) left the world: a thread that the seed does not control resumed it (a queue, a real clock \
      or a socket?)
      """
    case .notReproducible(let first, let second):
      """
      the same seed led to two different runs (\(String(first, radix: 16)), \(String(second, radix: 16))): \
      the body depends on something that the seed does not control, such as \(Self.uncontrolled)
      """
    case .notExhausted(let runs):
      """
      there are more interleavings than the \(runs) allowed runs: raise the upper bound of `seeds`, or lower \
      `preemptions`
      """
    case .interrupted(let runs): "interrupted after \(runs) runs, none of which failed"
    case .unsupported(let reason): "this process cannot run a simulation: \(reason)"
    }
  }

  /// What can make two runs of one seed different.
  fileprivate static let uncontrolled = """
    the order of a set (fixed by SWIFT_DETERMINISTIC_HASHING=1), real time, or state that outlives a run: a static \
    variable, or the initial value of a `static let`, which only the first run computes
    """
}

extension SimulationFailure: LocalizedError, CustomStringConvertible {
  /// The reason of the failure, how to replay the run, and its steps.
  ///
  /// With the environment variable `SIMULATION_VERBOSE=1`, these are the steps of
  /// ``fullTimeline``, and otherwise those of ``timeline``.
  public var description: String {
    let value = ProcessInfo.processInfo.environment["SIMULATION_VERBOSE"] ?? ""
    return report(
      isVerbose: !["", "0"].contains(value), replay: "\(ReplayVariable.name)='\(path)'",
      verbose: "SIMULATION_VERBOSE=1")
  }

  /// - Parameters:
  ///   - replay: What replays the run.
  ///   - verbose: What shows all steps.
  package func report(isVerbose: Bool, replay: String, verbose: String) -> String {
    var lines = "\(origin): \(reason)".wrapped()
    if !isRepeated {
      lines.append("")
      lines += """
        When the run was repeated, it did not fail in the same way: it depends on something that the seed does \
        not control, such as \(Reason.uncontrolled). To see the failure again, replay the seed in a new process
        """.wrapped()
    }
    if let note { lines += [""] + note.wrapped() }
    let timeline = isVerbose ? fullTimeline : timeline
    if !timeline.isEmpty {
      let choices = path.turns == 1 ? "1 non-default choice" : "\(path.turns) non-default choices"
      let mark = path.turns == 0 ? ":" : " (▸):"
      lines += ["", "replay: \(replay)"]
      if !isVerbose { lines.append("all steps: \(verbose)") }
      lines += ["", (seed == nil ? choices : "reduced from \(originalTurns) to \(choices)") + mark, ""]
      lines += timeline.map { TimelineText.indentation + $0 }
    }
    return lines.joined(separator: "\n")
  }

  /// The seed or the path of the run.
  private var origin: String {
    guard let seed else { return "\(path)" }
    // In an exhaustive simulation, a seed is only a run number.
    if case .exhaustive = strategy { return "run \(seed) (\(strategy))" }
    return "seed \(seed) (\(strategy))"
  }

  public var errorDescription: String? { description }
}
