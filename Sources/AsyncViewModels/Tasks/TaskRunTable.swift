extension TaskRuns {
  /// A run and its callers. The last caller to leave cancels the run. `waiter` is `nil` until the
  /// caller calls `wait()`.
  struct Run: Sendable {
    let id: ID
    /// The oldest run whose callers this run has taken over, directly or through other runs. `id`
    /// if there is no such run.
    var firstReplaced: ID
    let task: Task<Void, Never>
    let leave: Leave
    var callers: [(id: ID, waiter: Promise<Void>?)]
  }

  /// The runs of a slot, and the data that decides whether and when later runs start.
  struct Table: Sendable {
    var lastID: ID = 0
    /// The highest position of a start or a cancellation. See ``TaskSlot``.
    var lastPosition: Int?
    let policy: TaskSlot.Policy
    /// The number of the slot in the flight recorder, from the first run that a recorder sees.
    var recordedObject: UInt32 = 0
    /// The runs that may still commit. A superseded or cancelled run is not in the table.
    var runs: [Run] = []
    /// The runs whose commit is in progress. They can no longer be cancelled, and their callers
    /// wait for the commit.
    var committing: [Run] = []
    /// The task of the last serial run. The next serial run waits for it, even if it was cancelled,
    /// because it may still be running.
    var lastSerial: Task<Void, Never>?
  }
}

extension TaskRuns.Run {
  /// Cancels a run that is no longer in the table, and resumes its callers.
  func cancel() {
    task.cancel()
    resumeCallers()
  }

  /// Resumes the callers of a run that is over.
  ///
  /// Called without the lock. Keeps the run alive until all callers are resumed: when the run is
  /// released, the `deinit` of its closures' captures can run any code.
  func resumeCallers() {
    withExtendedLifetime(self) {
      for caller in callers { caller.waiter?.resolve(.success(())) }
    }
  }

  /// Whether `id` is this run or one of the runs that it has replaced.
  func includes(_ id: TaskRuns.ID) -> Bool { (firstReplaced...self.id).contains(id) }

  /// Takes over the callers of the replaced runs. Constant time if one run is replaced.
  mutating func takeOver(_ replaced: inout [TaskRuns.Run]) {
    for index in replaced.indices {
      firstReplaced = min(firstReplaced, replaced[index].firstReplaced)
      let own = exchange(&callers, with: exchange(&replaced[index].callers, with: []))
      callers += own
    }
  }

  func hasCaller(_ caller: TaskRuns.ID) -> Bool { callers.contains { $0.id == caller } }

  mutating func remove(_ caller: TaskRuns.ID) { callers.removeAll { $0.id == caller } }

  /// Adds a waiter for a share, which is one caller's part in a run. The first waiter of a share
  /// waits as that caller. Each further waiter becomes a new caller.
  mutating func add(
    _ waiter: Promise<Void>, as caller: TaskRuns.ID, or newID: TaskRuns.ID
  ) -> TaskRuns.ID {
    if let index = callers.firstIndex(where: { $0.id == caller && $0.waiter == nil }) {
      callers[index].waiter = waiter
      return caller
    }
    callers.append((newID, waiter))
    return newID
  }
}

extension TaskRuns.Table {
  /// Whether the table has seen neither this position nor a higher one.
  func isNew(_ position: Int) -> Bool { lastPosition.map { $0 < position } ?? true }

  mutating func makeID() -> TaskRuns.ID {
    lastID += 1
    return lastID
  }

  mutating func join() -> TaskRuns.Share? {
    let caller = makeID()
    guard let last = runs.indices.last else { return committing.last.map { ($0.id, caller) } }
    runs[last].callers.append((caller, nil))
    FlightEvents.note(.runJoined, recordedObject, runs[last].id)
    return (runs[last].id, caller)
  }

  mutating func add(
    _ waiter: Promise<Void>, for share: TaskRuns.Share
  ) -> TaskRuns.ID? {
    let newID = makeID()
    if let index = runs.firstIndex(where: { $0.includes(share.run) }) {
      return runs[index].add(waiter, as: share.caller, or: newID)
    }
    if let index = committing.firstIndex(where: { $0.includes(share.run) }) {
      return committing[index].add(waiter, as: share.caller, or: newID)
    }
    return nil
  }

  /// Returns the closure that removes a caller from its run, or `nil` if the caller is in no run.
  /// If the commit of the run is in progress, the closure waits for the commit.
  func leave(of caller: TaskRuns.ID) -> TaskRuns.Leave? {
    (runs.first { $0.hasCaller(caller) } ?? committing.first { $0.hasCaller(caller) })?.leave
  }

  mutating func beginCommit(at index: Int) { committing.append(runs.remove(at: index)) }

  mutating func removeCommitting(_ id: TaskRuns.ID) -> TaskRuns.Run? {
    committing.index(of: id).map { committing.remove(at: $0) }
  }

  mutating func removeAll() -> [TaskRuns.Run] {
    defer { runs.removeAll(keepingCapacity: true) }
    return runs
  }
}

extension [TaskRuns.Run] {
  func index(of id: TaskRuns.ID) -> Int? { firstIndex { $0.id == id } }
}
