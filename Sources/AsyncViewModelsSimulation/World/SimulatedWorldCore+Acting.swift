import Synchronization

// The operations that the simulated code calls.

extension SimulatedWorldCore {
  /// Records the first failure. Does not stop the run, so that no task is left suspended.
  func fail(_ reason: SimulationFailure.Reason) {
    guard isCurrent else { return leave(reason.elsewhere) }
    guard self.reason == nil else { return }
    self.reason = reason
    timeline?.end(with: reason, step: steps, at: now)
    publish()
  }

  func choose(_ count: Int, quietly: Bool = false) -> Int {
    guard count > 1 else { return 0 }
    let chosen = chooser.choose(count)
    record(Choice(count: count, chosen: chosen, costsPreemption: false))
    if quietly, chosen > 0 { hasTurnedQuietly = true }
    if !quietly { timeline?.note(.chose(chosen, of: count, by: running), step: steps, at: now) }
    publish()
    return chosen
  }

  func log(_ text: String) {
    timeline?.note(.said(text, by: running, isTurn: hasTurnedQuietly), step: steps, at: now)
    publish()
    hasTurnedQuietly = false
  }

  func spawn(
    _ name: String, canBeLeftOut: Bool, _ body: @escaping @Sendable () async throws -> Void
  ) -> SimulatedTask {
    let handle = SimulatedTask(name: name)
    defer { spawnCount += 1 }
    if canBeLeftOut { optionalSpawns.append(spawnCount) }
    // In a reduced run, the number of an omitted task may belong to another task, which cannot be
    // left out.
    guard !canBeLeftOut || !omitted.contains(spawnCount) else {
      handle.end()
      return handle
    }
    tasks.withLock { $0.nextName = name }
    spawned.append(handle)
    InterruptionCapture.paused {
      handle.start(
        Task(executorPreference: taskExecutor) { [self] in
          do { try await body() } catch {
            if !(error is CancellationError) { fail(.thrown("\(error)", by: name)) }
          }
          handle.end()
        })
    }
    return handle
  }
}

extension SimulationFailure.Reason {
  /// The reason that the run reports if this failure occurs on a thread outside its world.
  fileprivate var elsewhere: Self {
    switch self {
    case .expectation(let message, let place): .expectationOutside(message, at: place)
    case .thrown(_, let task): .leftTheWorld(task)
    default: self
    }
  }
}
