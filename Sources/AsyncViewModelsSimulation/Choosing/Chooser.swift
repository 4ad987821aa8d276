/// Makes the decisions of a run: which ready job runs next, and the numbers that the simulated code
/// asks for.
protocol Chooser: AnyObject {
  /// Chooses the index of the next job.
  ///
  /// - Parameters:
  ///   - tasks: The tasks of the ready jobs. The first is the task that ran last, if it can
  ///     continue, or else the one that has waited longest.
  ///   - canContinue: Whether the first task is the one that ran last.
  func choose(among tasks: [Int], canContinue: Bool) -> Int

  /// Chooses a number in `0..<count` for the simulated code.
  func choose(_ count: Int) -> Int
}

/// One decision of a run among several possibilities.
struct Choice: Equatable, Sendable {
  /// The number of possibilities, at least 2.
  let count: Int

  /// The chosen possibility. Among jobs, 0 is the default order: the task that ran last continues.
  /// If it cannot, the task that has waited longest runs.
  let chosen: Int

  /// Whether the last task could have continued, so that every choice except 0 preempts it.
  let costsPreemption: Bool

  var isPreemption: Bool { costsPreemption && chosen > 0 }
}

/// Makes the choices of a path. After the end of the path, it always chooses the first possibility.
final class PathChooser: Chooser {
  private let path: [Int]
  private var position = 0

  init(_ path: [Int]) { self.path = path }

  func choose(among tasks: [Int], canContinue: Bool) -> Int { choose(tasks.count) }

  func choose(_ count: Int) -> Int {
    defer { position += 1 }
    return position < path.count ? min(path[position], count - 1) : 0
  }
}

/// Chooses uniformly at random.
final class RandomChooser: Chooser {
  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  func choose(among tasks: [Int], canContinue: Bool) -> Int { numbers.next(below: tasks.count) }

  func choose(_ count: Int) -> Int { numbers.next(below: count) }
}

extension SplitMix64 {
  /// A random number in `0..<bound`.
  mutating func next(below bound: Int) -> Int {
    // The high half of the product is as uniform as the remainder and needs no division.
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}

/// Gives each task a random priority and runs the ready task with the highest priority
/// (probabilistic concurrency testing, PCT). At up to `depth - 1` random steps, the chooser lowers
/// the priority of that task below all others, and then chooses again.
///
/// If a bug needs `depth` events in a certain order among many tasks, this chooser is more likely
/// to find the bug than a uniform choice. After 400 steps it changes to a uniform choice.
/// Otherwise, a task with a high priority could poll forever, and the task that it waits for would
/// never run.
final class PriorityChooser: Chooser {
  private var numbers: SplitMix64
  /// The priorities by task. 0 for a task that has none yet.
  private var priorities: [UInt64] = []
  private var changes: [Int]
  private var step = 0
  private var lowest: UInt64

  private static let fairAfter = 400

  init(seed: UInt64, depth: Int) {
    var numbers = SplitMix64(seed: seed)
    // The length of the run is unknown, so the priority changes are spread over a random number of
    // steps.
    let length = 4 << numbers.next(below: 6)
    let changeCount = min(max(depth - 1, 0), Self.fairAfter)
    changes = (0..<changeCount).map { _ in 1 + numbers.next(below: length) }
    lowest = UInt64(changeCount + 1)
    self.numbers = numbers
  }

  func choose(among tasks: [Int], canContinue: Bool) -> Int {
    step += 1
    if step > Self.fairAfter { return numbers.next(below: tasks.count) }
    let highest = highest(of: tasks)
    guard changes.contains(step) else { return highest }
    lowest -= 1
    priorities[tasks[highest]] = lowest
    return self.highest(of: tasks)
  }

  func choose(_ count: Int) -> Int { numbers.next(below: count) }

  private func highest(of tasks: [Int]) -> Int {
    var best = 0
    for index in tasks.indices where priority(of: tasks[index]) > priority(of: tasks[best]) { best = index }
    return best
  }

  private func priority(of task: Int) -> UInt64 {
    while priorities.count <= task { priorities.append(0) }
    if priorities[task] == 0 { priorities[task] = numbers.next() | (1 << 32) }
    return priorities[task]
  }
}
