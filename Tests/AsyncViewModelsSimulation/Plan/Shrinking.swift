/// Makes a failing run smaller: without the tasks that are not needed for it, with fewer decisions against the usual order, and those
/// as small as can be.
struct Shrinking {
  private let kind: String
  private let optionalTasks: [Int]
  private let run: (SimulationPath) -> SimulatedWorldCore
  private var best: SimulationPath
  private var attempts = 0

  private static let mostAttempts = 2_000

  init(
    reason: SimulationFailure.Reason, core: SimulatedWorldCore,
    run: @escaping (SimulationPath) -> SimulatedWorldCore
  ) {
    kind = reason.kind
    optionalTasks = core.optionalSpawns
    self.run = run
    best = SimulationPath(choices: core.choices.map(\.chosen))
  }

  mutating func smallest() -> SimulationPath {
    var before: SimulationPath
    repeat {
      before = best
      leaveOutTasks()
      takeBackTurns()
      lowerTurns()
    } while best != before && attempts < Self.mostAttempts
    return best
  }

  private mutating func leaveOutTasks() {
    for task in optionalTasks where !best.omitted.contains(task) {
      attempt(SimulationPath(choices: best.choices, omitted: best.omitted.union([task])))
      // Without its task, its turns mean something else: the usual order is worth a try as well.
      attempt(SimulationPath(choices: [], omitted: best.omitted.union([task])))
    }
  }

  /// Takes back halves, quarters and so on of the decisions, down to single ones.
  private mutating func takeBackTurns() {
    var size = best.turns
    while size > 0 {
      var start = 0
      while start < best.turns {
        let turns = best.choices.indices.filter { best.choices[$0] != 0 }
        let range = start..<min(start + size, turns.count)
        var choices = best.choices
        for index in turns[range] { choices[index] = 0 }
        if !attempt(SimulationPath(choices: choices, omitted: best.omitted)) { start += size }
      }
      size /= 2
    }
  }

  private mutating func lowerTurns() {
    for index in best.choices.indices {
      while index < best.choices.count, best.choices[index] > 1 {
        var choices = best.choices
        choices[index] -= 1
        guard attempt(SimulationPath(choices: choices, omitted: best.omitted)) else { break }
      }
    }
  }

  /// Takes the path if it fails in the same way and is smaller.
  @discardableResult
  private mutating func attempt(_ path: SimulationPath) -> Bool {
    guard attempts < Self.mostAttempts, path != best else { return false }
    attempts += 1
    let core = run(path)
    guard let reason = core.reason, reason.kind == kind else { return false }
    // What was chosen in the end counts, which may be less than was asked for.
    let taken = SimulationPath(choices: core.choices.map(\.chosen), omitted: path.omitted)
    guard taken.size < best.size else { return false }
    best = taken
    return true
  }
}

extension SimulationPath {
  /// Fewer tasks, then fewer turns, then smaller ones.
  fileprivate var size: Size { Size(kept: -omitted.count, turns: turns, sum: choices.reduce(0, +)) }

  fileprivate struct Size: Comparable {
    let kept: Int
    let turns: Int
    let sum: Int

    static func < (left: Size, right: Size) -> Bool {
      (left.kept, left.turns, left.sum) < (right.kept, right.turns, right.sum)
    }
  }
}

extension SimulationFailure.Reason {
  /// What must stay the same while a run is made smaller: the place, not the values.
  var kind: String {
    switch self {
    case .expectation(_, let place): "expectation at \(place)"
    case .thrown(_, let task): "thrown by \(task)"
    case .deadlock: "deadlock"
    case .livelock: "livelock"
    case .unfinished: "unfinished"
    case .leftTheWorld: "left"
    case .notReproducible: "not reproducible"
    case .notExhausted: "not exhausted"
    case .unsupported: "unsupported"
    }
  }
}
