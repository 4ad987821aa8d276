import Domain
import Synchronization
import Testing
import ViewModelTesting

@Suite("TaskSlot", .timeLimit(.minutes(1)))
struct TaskSlotTests {
  private struct Failure: Error {}

  private static let policies: [TaskSlot.Policy] = [.latest, .first, .join, .queue, .concurrent]

  // MARK: Every policy

  @Test("what the work returns is committed on the owner; the task ends after that", arguments: policies)
  func commits(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await owner.run { 1 }.value
    #expect(await owner.committed == [.value(1)])
    #expect(await owner.isRunning == false)
    await owner.run { 2 }.value
    #expect(await owner.committed == [.value(1), .value(2)])
  }

  @Test("what the work throws is committed as an outcome", arguments: policies)
  func commitsFailure(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await owner.run { throw Failure() }.value
    await owner.run { throw CancellationError() }.value
    #expect(await owner.committed == [.failure("Failure()"), .cancelled])
    #expect(await owner.isRunning == false)
  }

  @Test(
    "cancelling the task of a run that the slot still counts on is committed as cancelled",
    arguments: policies)
  func cancellingTheTask(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let gate = Gate()
    let task = await owner.run {
      try await gate.waitUnlessCancelled()
      return 1
    }
    await gate.waitForArrivals(1)
    task.cancel()
    await task.value
    #expect(await owner.committed == [.cancelled])
    #expect(await owner.isRunning == false)
  }

  @Test("it is running from the start to the commit", arguments: policies)
  func isRunning(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    #expect(await owner.isRunning == false)
    let gate = Gate()
    let task = await owner.run {
      await gate.wait()
      return 1
    }
    #expect(await owner.isRunning)
    gate.open()
    await task.value
    #expect(await owner.isRunning == false)
  }

  @Test("after a cancel nothing is committed, even where the work takes no notice", arguments: policies)
  func cancel(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let gate = Gate()
    let tasks = [
      await owner.run {
        await gate.wait()
        return 1
      },
      await owner.run {
        await gate.wait()
        return 2
      },
    ]
    await gate.waitForArrivals(1)
    await owner.cancel()
    #expect(await owner.isRunning == false)
    gate.open()
    for task in tasks { await task.value }
    #expect(await owner.committed == [])
    await owner.run { 3 }.value
    #expect(await owner.committed == [.value(3)])
  }

  @Test("a cancel reaches the work", arguments: policies)
  func cancelReachesTheWork(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    let (gate, noticed) = (Gate(), Gate(isOpen: true))
    await owner.run {
      do { try await gate.waitUnlessCancelled() } catch { await noticed.wait() }
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    await noticed.waitForArrivals(1)
  }

  @Test("a cancel between the end of the work and its commit still counts")
  func cancelBeforeTheCommit() async {
    let owner = SlotOwner()
    let hasEnded = Atomic(false)
    for _ in 0..<200 {
      hasEnded.store(false, ordering: .releasing)
      let task = await owner.run {
        defer { hasEnded.store(true, ordering: .releasing) }
        return 1
      }
      await owner.cancelAfter { hasEnded.load(ordering: .acquiring) }
      await task.value
    }
    // Where the commit was quicker than the cancel it stands; at no time does one follow.
    let committed = await owner.committed
    await owner.run { 2 }.value
    #expect(await owner.committed == committed + [.value(2)])
  }

  @Test("a run that is superseded by the cancellation of the one before it never begins")
  func supersededWhileStarting() async {
    let owner = SlotOwner()
    let gate = Gate()
    await owner.runRestartingWhenCancelled(gate)
    await gate.waitForArrivals(1)
    await owner.run { 2 }.value
    gate.open()
    while await owner.isRunning { await Task.yield() }
    #expect(await owner.committed == [.value(3)])
  }

  @Test("a commit may start the slot again", arguments: policies)
  func restartFromCommit(policy: TaskSlot.Policy) async throws {
    let owner = SlotOwner(policy)
    let numbers = Atomic(0)
    await owner.runChain(5) { numbers.add(1, ordering: .relaxed).newValue }
    while await owner.committed.count < 5 { await Task.yield() }
    #expect(await owner.committed == (1...5).map(SlotOwner.Entry.value))
    #expect(await owner.isRunning == false)
  }

  @Test(
    "neither the slot nor its work keeps the owner; when it goes, the work is cancelled", arguments: policies)
  func ownersEnd(policy: TaskSlot.Policy) async throws {
    let (gate, cancelled) = (Gate(), Gate(isOpen: true))
    try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner(policy))
      await owner.run {
        do { try await gate.waitUnlessCancelled() } catch { await cancelled.wait() }
        return 1
      }
      await gate.waitForArrivals(1)
    }
    await cancelled.waitForArrivals(1)
  }

  @Test("work that outlives its owner commits to nobody", arguments: policies)
  func ownerGoneBeforeCommit(policy: TaskSlot.Policy) async throws {
    let gate = Gate()
    let task = try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner(policy))
      let task = await owner.run {
        await gate.wait()
        return 1
      }
      await gate.waitForArrivals(1)
      return task
    }
    gate.open()
    await task.value
  }

  @Test("what a run captured is freed when it has ended", arguments: policies)
  func freesTheWork(policy: TaskSlot.Policy) async throws {
    let owner = SlotOwner(policy)
    try await LeakTracker.check { tracker in
      let captured = tracker.track(Reentrant(7))
      await owner.run { captured.number }.value
    }
    #expect(await owner.committed == [.value(7)])
  }

  // MARK: latest

  @Test("latest: a new run cancels the old one, which commits nothing even if it takes no notice")
  func latestSupersedes() async {
    let owner = SlotOwner(.latest)
    let gate = Gate()
    let wasCancelled = Atomic(false)
    let old = await owner.run {
      await gate.wait()
      wasCancelled.store(Task.isCancelled, ordering: .relaxed)
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.run { 2 }.value
    #expect(await owner.committed == [.value(2)])
    gate.open()
    await old.value
    #expect(wasCancelled.load(ordering: .relaxed) == true)
    #expect(await owner.committed == [.value(2)])
  }

  @Test("latest: the old run's end does not make the slot idle while the new one runs")
  func latestStaysRunning() async {
    let owner = SlotOwner(.latest)
    let (oldGate, newGate) = (Gate(), Gate())
    let old = await owner.run {
      await oldGate.wait()
      return 1
    }
    let new = await owner.run {
      await newGate.wait()
      return 2
    }
    oldGate.open()
    await old.value
    #expect(await owner.isRunning)
    newGate.open()
    await new.value
    #expect(await owner.committed == [.value(2)])
  }

  // MARK: first

  @Test("first: a new run gives way to the one under way, and its task has ended")
  func firstGivesWay() async {
    let owner = SlotOwner(.first)
    let gate = Gate()
    let first = await owner.run {
      await gate.wait()
      return 1
    }
    await owner.run { 2 }.value
    #expect(await owner.committed == [])
    gate.open()
    await first.value
    #expect(await owner.committed == [.value(1)])
  }

  @Test("first: after a cancel the next run starts, though the old work still runs")
  func firstAfterCancel() async {
    let owner = SlotOwner(.first)
    let gate = Gate()
    let first = await owner.run {
      await gate.wait()
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    await owner.run { 2 }.value
    gate.open()
    await first.value
    #expect(await owner.committed == [.value(2)])
  }

  // MARK: join

  @Test("join: a new run is the one under way, and awaits its commit")
  func joinShares() async {
    let owner = SlotOwner(.join)
    let gate = Gate()
    let first = await owner.run {
      await gate.wait()
      return 1
    }
    let second = await owner.run { 2 }
    #expect(first == second)
    gate.open()
    await second.value
    #expect(await owner.committed == [.value(1)])
    let third = await owner.run { 3 }
    #expect(third != first)
    await third.value
    #expect(await owner.committed == [.value(1), .value(3)])
  }

  // MARK: queue

  @Test("queue: each run waits for its turn, in the order of the calls")
  func queueKeepsOrder() async {
    let owner = SlotOwner(.queue)
    let gate = Gate()
    let underWay = Atomic(0)
    var tasks: [Task<Void, Never>] = []
    for number in 1...20 {
      tasks.append(
        await owner.run {
          #expect(underWay.add(1, ordering: .relaxed).newValue == 1)
          await gate.wait()
          underWay.subtract(1, ordering: .relaxed)
          return number
        })
    }
    for number in 1...20 {
      await gate.waitForArrivals(number)
      #expect(await owner.committed.count == number - 1)
      gate.release()
    }
    for task in tasks { await task.value }
    #expect(await owner.committed == (1...20).map(SlotOwner.Entry.value))
    #expect(await owner.isRunning == false)
  }

  @Test("queue: a failure does not stop those behind it")
  func queueSurvivesFailure() async {
    let owner = SlotOwner(.queue)
    await owner.run { throw Failure() }
    await owner.run { 2 }.value
    #expect(await owner.committed == [.failure("Failure()"), .value(2)])
  }

  @Test("queue: a cancel stops those that wait before they begin")
  func queueCancel() async {
    let owner = SlotOwner(.queue)
    let gate = Gate()
    let begun = Atomic(0)
    var tasks: [Task<Void, Never>] = []
    for number in 1...5 {
      tasks.append(
        await owner.run {
          begun.add(1, ordering: .relaxed)
          await gate.wait()
          return number
        })
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    gate.open()
    for task in tasks { await task.value }
    #expect(begun.load(ordering: .relaxed) == 1)
    #expect(await owner.committed == [])
  }

  // MARK: concurrent

  @Test("concurrent: runs go on beside each other, and each one commits")
  func concurrentRuns() async {
    let owner = SlotOwner(.concurrent)
    let gate = Gate()
    var tasks: [Task<Void, Never>] = []
    for number in 1...5 {
      tasks.append(
        await owner.run {
          await gate.wait()
          return number
        })
    }
    await gate.waitForArrivals(5)
    #expect(await owner.isRunning)
    gate.release()
    while await owner.committed.count < 1 { await Task.yield() }
    #expect(await owner.isRunning)
    gate.open()
    for task in tasks { await task.value }
    #expect(Set(await owner.committed.compactMap(\.number)) == [1, 2, 3, 4, 5])
    #expect(await owner.isRunning == false)
  }

  @Test("concurrent: an older run still counts, and can be cancelled, after a newer one has ended")
  func concurrentOutlivesNewer() async {
    let owner = SlotOwner(.concurrent)
    let gate = Gate()
    let wasCancelled = Atomic(false)
    let older = await owner.run {
      await gate.wait()
      wasCancelled.store(Task.isCancelled, ordering: .relaxed)
      return 1
    }
    await gate.waitForArrivals(1)
    await owner.run { 2 }.value
    #expect(await owner.committed == [.value(2)])
    #expect(await owner.isRunning)
    await owner.cancel()
    #expect(await owner.isRunning == false)
    gate.open()
    await older.value
    #expect(wasCancelled.load(ordering: .relaxed) == true)
    #expect(await owner.committed == [.value(2)])
  }

  // MARK: Steps

  @Test("in steps: each step commits while the run is current", arguments: policies)
  func steps(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await owner.runInSteps { commit in
      for value in 1...3 {
        #expect(commit.isOpen)
        #expect(await commit { $0.add(value) })
      }
    }.value
    #expect(await owner.committed == [.value(1), .value(2), .value(3)])
    #expect(await owner.isRunning == false)
  }

  @Test("in steps: a run that is superseded or cancelled takes no further step", arguments: [true, false])
  func stepsAreGated(byCancelling: Bool) async {
    let owner = SlotOwner(.latest)
    let gate = Gate()
    let old = await owner.runInSteps { commit in
      #expect(await commit { $0.add(1) })
      await gate.wait()
      #expect(!commit.isOpen)
      #expect(await commit { $0.add(2) } == false)
    }
    await gate.waitForArrivals(1)
    if byCancelling {
      await owner.cancel()
    } else {
      await owner.runInSteps { commit in await commit { $0.add(3) } }.value
    }
    gate.open()
    await old.value
    #expect(await owner.committed == (byCancelling ? [.value(1)] : [.value(1), .value(3)]))
  }

  @Test("in steps: a step may answer, and answers nothing when the run is not current any more")
  func answeringSteps() async {
    let owner = SlotOwner()
    let (gate, answers) = (Gate(), DeliveryLog<Int?>())
    let task = await owner.runInSteps { commit in
      answers.append(
        await commit { owner in
          owner.add(1)
          return owner.committed.count
        })
      await gate.wait()
      answers.append(await commit { owner in owner.committed.count })
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    gate.open()
    await task.value
    #expect(answers.values == [1, nil])
  }

  @Test("in steps: the owner is not kept, and a step after its end says that nobody is left")
  func stepsWithoutOwner() async throws {
    let gate = Gate()
    let said = Atomic(true)
    let task = try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner())
      let task = await owner.runInSteps { commit in
        await commit { $0.add(1) }
        await gate.wait()
        said.store(await commit { $0.add(2) }, ordering: .relaxed)
      }
      await gate.waitForArrivals(1)
      return task
    }
    gate.open()
    await task.value
    #expect(said.load(ordering: .relaxed) == false)
  }

  // MARK: Races

  @Test("many callers run and cancel: only what is newest at its commit commits")
  func race() async {
    let owner = SlotOwner(.latest)
    await withTaskGroup { group in
      for caller in 0..<8 {
        group.addTask {
          for round in 0..<1_000 {
            let task = await owner.runNumbered()
            switch (caller + round) % 5 {
            case 0: await owner.cancel()
            case 1, 2: await task.value
            default: break
            }
          }
        }
      }
    }
    await owner.runNumbered().value
    #expect(await owner.staleCommits == 0)
    #expect(await owner.committed.last == .value(8_001))
    #expect(await owner.isRunning == false)
  }

  @Test("many callers start work under every policy: the slot is idle in the end", arguments: policies)
  func raceOfPolicies(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for round in 0..<250 {
            let task = await owner.run { round }
            if round % 2 == 0 { await task.value }
          }
        }
      }
    }
    await owner.run { -1 }.value
    while await owner.isRunning { await Task.yield() }
    let committed = await owner.committed
    if policy == .queue { #expect(committed.count == 2_001) }
    #expect(!committed.isEmpty)
  }
}
