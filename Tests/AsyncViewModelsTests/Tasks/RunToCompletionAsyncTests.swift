import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@Suite("runToCompletion: async work", .timeLimit(.minutes(5)), .endsWaits)
struct RunToCompletionAsyncTests {
  @Test("the call returns the value of the work or throws the error of the work")
  func result() async throws {
    #expect(try await runToCompletion { 7 } == 7)
    await #expect(throws: Refused(reason: "sold out")) {
      try await runToCompletion { throw Refused(reason: "sold out") }
    }
  }

  @Test("the work runs to its end even if its caller is cancelled, and the caller waits for it")
  func cancelledCaller() async throws {
    let queue = DispatchQueue(label: "caller")
    let (gate, log) = (Gate(), DeliveryLog<String>())
    let caller = Task(executorPreference: QueueTaskExecutor(queue)) {
      let value = try await runToCompletion {
        try await gate.waitUnlessCancelled()
        log.append(Task.isCancelled ? "cancelled" : "work")
        return 1
      }
      log.append("caller")
      return value
    }
    await gate.waitForArrivals(1)
    // When this empty block has run, the caller, whose jobs run on the same queue, waits for its work.
    queue.sync {}
    caller.cancel()
    #expect(log.values.isEmpty)
    gate.open()
    #expect(try await caller.value == 1)
    #expect(log.values == ["work", "caller"])
  }

  @Test("the work runs even if its caller was already cancelled")
  func cancelledBefore() async throws {
    let caller = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await runToCompletion {
        try Task.checkCancellation()
        return 1
      }
    }
    caller.cancel()
    #expect(try await caller.value == 1)
  }

  @Test("the work runs on no actor, whatever the isolation of the caller")
  func isolation() async throws {
    let model = IsolatedModel(0)
    try await Task { @MainActor in
      try await runToCompletion {
        #expect(#isolation == nil)
        await model.change { $0 += 1 }
        #expect(#isolation == nil)
      }
      MainActor.preconditionIsolated()
    }.value
    await model.saveToCompletion()
    #expect(model.state == 2)
  }

  /// `runToCompletion` must not use `try await task.value`: if that expression throws, an optimized build
  /// does not return to the caller's actor (Swift 6.3).
  @Test("a call that throws returns to its caller's actor", arguments: [false, true])
  func isolationAfterAnError(isOnMain: Bool) async throws {
    let isolation: any Actor = isOnMain ? MainActor.shared : PlainActor()
    let model = IsolatedModel(0, isolation: isolation)
    for _ in 1...20 { await model.failToSave() }
    #expect(await model.callCount == 20)
  }

  @Test("the work runs to its end after the view model is released, and keeps only its captures alive")
  func ownerIsGone() async throws {
    let (gate, saved) = (Gate(), Gate())
    let store = try await LeakTracker.check { tracker in
      let model = tracker.track(StateModel(0))
      let store = model.store
      Task {
        try await runToCompletion {
          await gate.wait()
          store.send(1)
          saved.open()
        }
      }
      await gate.waitForArrivals(1)
      return store
    }
    gate.open()
    await saved.wait()
    #expect(store.value == 1)
  }

  @Test("captures are released when the work ends, even if it fails")
  func releasesCaptures() async throws {
    try await LeakTracker.check { tracker in
      for number in 0..<200 {
        let captured = tracker.track(Gate(isOpen: true))
        try? await runToCompletion {
          await captured.wait()
          if number % 2 == 0 { throw Refused() }
        }
      }
      let returned = try await runToCompletion { tracker.track(Gate(isOpen: true)) }
      await returned.wait()
    }
  }

  @Test("the deinit of a capture may start more work")
  func captureDeinit() async throws {
    let ended = Gate()
    do {
      let captured = Reentrant(1) { Task { try await runToCompletion { ended.open() } } }
      #expect(try await runToCompletion { captured.number } == 1)
    }
    await ended.wait()
  }

  @Test("priorities and task-local values of the caller apply to the work")
  func taskLocals() async throws {
    let value = try await TaskValue.$current.withValue(5) { try await runToCompletion { TaskValue.current } }
    #expect(value == 5)
    let priority = Task(priority: .high) { try await runToCompletion { Task.currentPriority } }
    #expect(try await priority.value >= .high)
  }

  @Test(
    "LiveObjects counts the work as a task until it ends, even if its caller was cancelled",
    .enabled(if: LiveObjects.areCounted))
  func liveObjects() async throws {
    try await LiveObjects.assertNothingLives {
      let gate = Gate()
      let callers = (1...2).map { number in
        Task {
          try await runToCompletion {
            await gate.wait()
            if number == 1 { throw Refused() }
          }
        }
      }
      await gate.waitForArrivals(2)
      for caller in callers { caller.cancel() }
      #expect(LiveObjects.current.count[.task, "runToCompletion"] == 2)
      gate.open()
      await #expect(throws: Refused.self) { try await callers[0].value }
      try await callers[1].value
      #expect(LiveObjects.current.count.isEmpty)
    }
  }

  @Test("if callers are cancelled at any time, all work runs to its end, and no work is cancelled")
  func race() async {
    let (ended, stopped) = (Tally(), Tally())
    await withTaskGroup { group in
      for number in 0..<1_000 {
        group.addTask {
          let caller = Task {
            try await runToCompletion {
              if number % 2 == 0 { await Task.yield() }
              if Task.isCancelled { stopped.increment() }
              ended.increment()
            }
          }
          if number % 3 == 0 { await Task.yield() }
          caller.cancel()
          try? await caller.value
        }
      }
    }
    #expect(ended.count == 1_000)
    #expect(stopped.count == 0)
  }
}

private enum TaskValue {
  @TaskLocal static var current = 0
}

extension IsolatedModel<Int> {
  fileprivate func saveToCompletion() async {
    try? await runToCompletion { [store] in
      #expect(#isolation == nil)
      store.update { $0 += 1 }
    }
    preconditionIsolated()
  }

  fileprivate func failToSave() async {
    do {
      try await runToCompletion {
        await Task.yield()
        throw Refused()
      }
    } catch {
      preconditionIsolated()
      change { $0 += 1 }
    }
  }
}
