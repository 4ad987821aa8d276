import Synchronization

/// The runs of one ``TaskSlot``: their numbers, and which of them may still commit.
///
/// The slot shares it with its tasks. The tasks must not keep the slot alive, because releasing it is what
/// cancels them.
final class TaskRuns: Sendable {
  enum Start {
    case started(number: UInt64, after: Task<Void, Never>?)
    case joined(Task<Void, Never>)
    case dropped
  }

  fileprivate struct Guarded: Sendable {
    var newest: UInt64 = 0
    /// Runs with a lower number have been superseded or cancelled.
    var oldestCurrent: UInt64 = 1
    var tasks: [(number: UInt64, task: Task<Void, Never>)] = []
    /// The run that the next serial run waits for: the last one, even if cancelled, because it may still be
    /// running.
    var lastInQueue: (number: UInt64, task: Task<Void, Never>)?
  }

  private let policy: TaskSlot.Policy
  private let guarded = Mutex(Guarded())

  init(_ policy: TaskSlot.Policy) { self.policy = policy }

  var isRunning: Bool { guarded.withLock { !$0.tasks.isEmpty } }

  func isCurrent(_ number: UInt64) -> Bool { guarded.withLock { number >= $0.oldestCurrent } }

  func begin() -> Start {
    let (start, superseded) = guarded.withLock { runs -> (Start, [Task<Void, Never>]) in
      let running = runs.tasks.last?.task
      switch (policy, running) {
      case (.join, let running?): return (.joined(running), [])
      case (.keepRunning, .some): return (.dropped, [])
      case (.latest, _): return (runs.start(after: nil), runs.supersede())
      case (.serial, _): return (runs.start(after: runs.lastInQueue?.task), [])
      case (.concurrent, _): return (runs.start(after: nil), [])
      case (_, nil): return (runs.start(after: nil), [])
      }
    }
    for task in superseded { task.cancel() }
    return start
  }

  /// Stores the task of a run, unless a cancellation handler of the previous run has already superseded it.
  func register(_ task: Task<Void, Never>, _ number: UInt64) {
    guarded.withLock { runs in
      if number >= runs.oldestCurrent { runs.tasks.append((number, task)) }
      if policy == .serial { runs.lastInQueue = (number, task) }
    }
  }

  func end(_ number: UInt64) {
    guarded.withLock { runs in
      runs.tasks.removeAll { $0.number == number }
      if runs.lastInQueue?.number == number { runs.lastInQueue = nil }
    }
  }

  func cancel() {
    let cancelled = guarded.withLock { runs in
      runs.newest += 1
      return runs.supersede()
    }
    for task in cancelled { task.cancel() }
  }
}

extension TaskRuns.Guarded {
  fileprivate mutating func start(after predecessor: Task<Void, Never>?) -> TaskRuns.Start {
    newest += 1
    return .started(number: newest, after: predecessor)
  }

  /// Lets only the newest number commit, and removes and returns the tasks of the others.
  fileprivate mutating func supersede() -> [Task<Void, Never>] {
    oldestCurrent = newest
    let superseded = tasks.map(\.task)
    tasks.removeAll(keepingCapacity: true)
    return superseded
  }
}
