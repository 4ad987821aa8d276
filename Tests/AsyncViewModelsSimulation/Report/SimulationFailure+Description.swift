extension SimulationFailure.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .expectation(let message, let place): "\(message) (\(place))"
    case .thrown(let error, let task): "\(task) threw \(error)"
    case .deadlock(let waiting):
      """
      deadlock: nothing is ready and nobody waits for a time, but these have not ended: \(waiting.joined(separator: ", ")). \
      They wait for each other, for a continuation that nobody resumes, or for something outside of the world
      """
    case .livelock(let steps, let running): "livelock: not over after \(steps) steps; \(running) ran last"
    case .unfinished(let names):
      "left suspended at the end, with nobody to resume them: \(names.joined(separator: ", "))"
    case .leftTheWorld(let name):
      "\(name) left the world: it was resumed from a thread that no seed decides about (a queue, a real clock, a socket?)"
    case .notReproducible(let first, let second):
      """
      the same seed led to two different runs (\(String(first, radix: 16)), \(String(second, radix: 16))): the body \
      depends on something that the seed does not decide, such as the order of a set (settled by SWIFT_DETERMINISTIC_HASHING=1), \
      the real time or a shared state
      """
    case .notExhausted(let runs): "there are more interleavings than the \(runs) that were allowed"
    case .unsupported(let reason): "no world can run here: \(reason)"
    }
  }
}

extension SimulationFailure: CustomStringConvertible {
  public var description: String {
    var lines = ["seed \(seed) (\(strategy)): \(reason)"]
    if !timeline.isEmpty {
      let turns = path.turns == 1 ? "1 turn" : "\(path.turns) turns"
      lines += ["", "reduced from \(originalTurns) to \(turns) against the usual order:", ""]
      lines += timeline.map { "  " + $0 }
      lines += ["", "again: \(path)   or seed \(seed), strategy \(strategy)"]
    }
    return lines.joined(separator: "\n")
  }
}
