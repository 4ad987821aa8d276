/// Reduces a failing run in four passes, and repeats the passes as long as they make progress, up
/// to a limit.
///
/// 1. Omits tasks that the failure does not need, unless no run passes without such a task.
/// 2. Resets decisions to the default order.
/// 3. Lowers the numbers of the remaining decisions.
/// 4. Tries each single decision, because removing decisions can end with several that fail only
///    together.
struct Shrinking {
  private let kind: String
  private let optionalTasks: [Int]
  private let run: (_ path: SimulationPath, _ seed: UInt64?) -> SimulatedWorldCore
  private var best: SimulationPath
  private var attempts = 0

  private static let maximumAttempts = 2_000
  private static let randomAttempts = 15

  init(
    reason: SimulationFailure.Reason, core: SimulatedWorldCore,
    run: @escaping (SimulationPath, UInt64?) -> SimulatedWorldCore
  ) {
    kind = reason.kind
    optionalTasks = core.optionalSpawns
    self.run = run
    best = core.path
  }

  mutating func smallest() -> SimulationPath {
    var before: SimulationPath
    repeat {
      before = best
      omitTasks()
      removeTurns()
      lowerTurns()
      tryEachTurn()
    } while best != before && attempts < Self.maximumAttempts
    return best
  }

  private mutating func omitTasks() {
    guard optionalTasks.contains(where: { !best.omitted.contains($0) }) else { return }
    let canPass = someRuns(best.with([])).contains { $0.reason == nil }
    for task in optionalTasks where !best.omitted.contains(task) {
      let omitted = best.omitted.union([task])
      let path = SimulationPath(choices: [], omitted: omitted, isCoarse: best.isCoarse)
      let runs = someRuns(path)
      // If runs pass with the task, but none without it, the failure without it is another one: for
      // example, the tasks that a cancellation ends would then wait forever.
      guard !canPass || runs.contains(where: { $0.reason == nil }) else { continue }
      if attempt(SimulationPath(choices: best.choices, omitted: omitted, isCoarse: best.isCoarse)) {
        continue
      }
      // Without the task the choices have a different meaning, so other orders are accepted too.
      for run in runs { accept(run) }
    }
  }

  /// Runs in the default order and in some random orders.
  private mutating func someRuns(_ path: SimulationPath) -> [SimulatedWorldCore] {
    attempts += 1 + Self.randomAttempts
    return ([nil] + (1...Self.randomAttempts).map(UInt64.init)).map { run(path, $0) }
  }

  /// Resets the non-default decisions: first all at once, then in halves, quarters and so on, down
  /// to single decisions.
  private mutating func removeTurns() {
    var size = best.turns
    while size > 0 {
      var start = 0
      while start < best.turns {
        let turns = best.choices.indices.filter { best.choices[$0] != 0 }
        let range = start..<min(start + size, turns.count)
        var choices = best.choices
        for index in turns[range] { choices[index] = 0 }
        if !attempt(best.with(choices)) { start += size }
      }
      size /= 2
    }
  }

  private mutating func lowerTurns() {
    for index in best.choices.indices {
      while index < best.choices.count, best.choices[index] > 1 {
        var choices = best.choices
        choices[index] -= 1
        guard attempt(best.with(choices)) else { break }
      }
    }
  }

  private mutating func tryEachTurn() {
    guard best.turns > 1 else { return }
    for position in best.choices.indices
    where attempt(best.with(Array(repeating: 0, count: position) + [1])) { return }
  }

  /// Runs a path, and accepts it if it fails in the same way and is smaller.
  @discardableResult
  private mutating func attempt(_ path: SimulationPath) -> Bool {
    guard attempts < Self.maximumAttempts, path != best else { return false }
    attempts += 1
    return accept(run(path, nil))
  }

  /// Accepts a run if it fails in the same way and is smaller.
  @discardableResult
  private mutating func accept(_ core: SimulatedWorldCore) -> Bool {
    guard let reason = core.reason, reason.kind == kind else { return false }
    // Uses the actual choices: the run may have clamped those of its path.
    let taken = core.path
    guard taken.size < best.size else { return false }
    best = taken
    return true
  }
}

extension SimulationPath {
  /// The size of a path. A comparison considers first the number of omitted tasks (more is
  /// smaller), then the number of non-default decisions, and then the sum of the decisions.
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
  /// What must stay the same when a run is repeated or reduced: the kind of the failure, and its
  /// place or task. The message is not compared, because it may contain values that differ between
  /// runs, such as an address.
  var kind: String {
    switch self {
    case .expectation(_, let place): "expectation at \(place)"
    case .expectationOutside: "expectation outside"
    case .thrown(_, let task): "thrown by \(task)"
    case .deadlock: "deadlock"
    case .livelock: "livelock"
    case .unfinished: "unfinished"
    case .leftTheWorld: "left"
    case .blocked: "blocked"
    case .trapped(_, let call): "trapped in \(call)"
    case .notReproducible: "not reproducible"
    case .notExhausted: "not exhausted"
    case .interrupted: "interrupted"
    case .unsupported: "unsupported"
    }
  }
}
