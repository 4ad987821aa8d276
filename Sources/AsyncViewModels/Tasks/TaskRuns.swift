import Synchronization

/// The runs of one ``TaskSlot`` and the callers that wait for them.
///
/// The slot shares this object with its tasks. The tasks must not keep the slot alive, because its
/// release cancels them.
final class TaskRuns: Sendable {
  typealias ID = UInt64
  /// Identifies one caller of one run.
  typealias Share = (run: ID, caller: ID)
  /// Removes a cancelled caller of a run, on the owner's isolation. If it was the last caller,
  /// commits the cancellation.
  typealias Leave = @Sendable (_ caller: ID) async -> Void

  private let guarded: Mutex<Table>

  init(_ policy: TaskSlot.Policy) { guarded = Mutex(Table(policy: policy)) }

  var isRunning: Bool { guarded.withLock { !$0.runs.isEmpty } }

  func isCurrent(_ id: ID) -> Bool { guarded.withLock { $0.runs.index(of: id) != nil } }

  /// Starts a run, joins the newest one, or does nothing, as the policy and the position decide.
  /// The callers of a superseded run wait for the run that replaces it.
  ///
  /// - Parameter owner: The type that the flight recorder shows.
  /// - Parameter make: Creates the task of a run. Under `.serial`, the task waits for its
  ///   predecessor to end. Called under the lock, so that every run in the table has its task. The
  ///   task itself runs without the lock.
  /// - Returns: The caller's share in the run, or `nil` if there is nothing to wait for.
  func start(
    at position: Int?, on owner: Any.Type,
    _ make: (Share, _ predecessor: Task<Void, Never>?) -> (Task<Void, Never>, Leave)
  ) -> Share? {
    let (share, superseded) = guarded.withLock { table -> (Share?, [Run]) in
      if table.recordedObject == 0 { table.recordedObject = FlightEvents.object(.slotUsed, of: owner) }
      if let position {
        guard table.isNew(position) else { return (table.policy == .latest ? table.join() : nil, []) }
        table.lastPosition = position
      }
      switch table.policy {
      case .join where !table.runs.isEmpty: return (table.join(), [])
      case .keepRunning where !table.runs.isEmpty:
        FlightEvents.note(.runDropped, table.recordedObject, table.runs[table.runs.count - 1].id)
        return (nil, [])
      default: break
      }
      var superseded = table.policy == .latest ? table.removeAll() : []
      for run in superseded { FlightEvents.note(.runSuperseded, table.recordedObject, run.id) }
      let share = (run: table.makeID(), caller: table.makeID())
      FlightEvents.note(.runStarted, table.recordedObject, share.run)
      let (task, leave) = make(share, table.lastSerial)
      var run = Run(id: share.run, firstReplaced: share.run, task: task, leave: leave, callers: [])
      run.takeOver(&superseded)
      run.callers.append((share.caller, nil))
      table.runs.append(run)
      if table.policy == .serial { table.lastSerial = task }
      return (share, superseded)
    }
    for run in superseded { run.task.cancel() }
    return share
  }

  /// Adds a caller to the newest run that can still be cancelled. If there is none, the caller
  /// waits for the commit in progress, if any.
  func join() -> Share? { guarded.withLock { $0.join() } }

  /// Waits until a run is over. If the waiting task is cancelled first, the caller leaves the run,
  /// or waits for the commit in progress.
  nonisolated(nonsending) func wait(for share: Share) async {
    let waiter = Promise<Void>()
    guard let caller = guarded.withLock({ $0.add(waiter, for: share) }) else { return }
    do {
      try await withTaskCancellationHandler {
        try await waiter.value
      } onCancel: {
        waiter.resolve(.failure(CancellationError()))
      }
    } catch {
      // If a newer run takes over the caller before the caller has left, the caller leaves the
      // newer run.
      while let leave = guarded.withLock({ $0.leave(of: caller) }) { await leave(caller) }
    }
  }

  /// Ends a run whose work is done, or removes a caller that leaves the run.
  func end(_ id: ID, leaving caller: ID?, _ commit: () -> Void) {
    if let caller { leave(id, caller, commit) } else { end(id, commit) }
  }

  /// Removes a caller. If it was the last one, calls `commit` and cancels the run.
  ///
  /// - Parameter commit: Commits the cancellation. Called without the lock, before the work is
  ///   cancelled: a cancellation handler may start the next run, and this run must not commit after
  ///   that.
  func leave(_ id: ID, _ caller: ID, _ commit: () -> Void) {
    let isAbandoned = guarded.withLock { table in
      guard let index = table.runs.index(of: id), table.runs[index].hasCaller(caller) else { return false }
      guard table.runs[index].callers.count == 1 else {
        table.runs[index].remove(caller)
        return false
      }
      // The last caller stays in the run until the commit is over. A caller that was cancelled
      // before the run started is removed by the run's task, and the caller itself would otherwise
      // return before the commit.
      table.beginCommit(at: index)
      FlightEvents.note(.runAbandoned, table.recordedObject, id)
      return true
    }
    guard isAbandoned else { return }
    commit()
    guarded.withLock { $0.removeCommitting(id) }?.cancel()
  }

  /// Ends a run: calls `commit` if the run is still current, and resumes its callers.
  func end(_ id: ID, _ commit: () -> Void) {
    let isCurrent = guarded.withLock { table in
      let index = table.runs.index(of: id)
      FlightEvents.note(index == nil ? .runEndedLate : .runEnded, table.recordedObject, id)
      guard let index else { return false }
      table.beginCommit(at: index)
      return true
    }
    guard isCurrent else { return }
    commit()
    guarded.withLock { $0.removeCommitting(id) }?.resumeCallers()
  }

  /// Cancels all runs. Does nothing if the table has already seen the position or a higher one.
  ///
  /// - Parameter event: The reason, for the flight recorder.
  func cancel(at position: Int?, _ event: RecordedEvent = .runCancelled) {
    let cancelled = guarded.withLock { table -> [Run] in
      if let position {
        guard table.isNew(position) else { return [] }
        table.lastPosition = position
      }
      for run in table.runs { FlightEvents.note(event, table.recordedObject, run.id) }
      return table.removeAll()
    }
    for run in cancelled { run.cancel() }
  }
}
