import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("TaskSlot: work in steps", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotStepTests {
  @Test(
    "while the run is current, every step runs, and the call returns after the last one",
    arguments: TaskSlot.Policy.all)
  func steps(policy: TaskSlot.Policy) async {
    let owner = SlotOwner(policy)
    await owner.runInSteps { commit in
      for value in 1...3 {
        #expect(commit.isOpen)
        #expect(await commit { $0.add(value) })
      }
    }
    #expect(await owner.committed == [.value(1), .value(2), .value(3)])
    #expect(owner.isRunning == false)
  }

  @Test(
    "a superseded or cancelled run commits no further step, and its caller returns", arguments: [true, false])
  func stepsAreGated(byCancelling: Bool) async {
    let owner = SlotOwner(.latest)
    let (gate, ended) = (Gate(), Gate(isOpen: true))
    let old = await owner.callInSteps { commit in
      #expect(await commit { $0.add(1) })
      await gate.wait()
      #expect(!commit.isOpen)
      #expect(await commit { $0.add(2) } == false)
      await ended.wait()
    }
    await gate.waitForArrivals(1)
    if byCancelling {
      await owner.cancel()
    } else {
      await owner.runInSteps { commit in await commit { $0.add(3) } }
    }
    await old.value
    gate.open()
    await ended.waitForArrivals(1)
    #expect(await owner.committed == (byCancelling ? [.value(1)] : [.value(1), .value(3)]))
  }

  @Test("a step returns the result of its closure, or nil if the run is no longer current")
  func answeringSteps() async {
    let owner = SlotOwner()
    let (gate, ended, answers) = (Gate(), Gate(isOpen: true), DeliveryLog<Int?>())
    let caller = await owner.callInSteps { commit in
      answers.append(
        await commit { owner in
          owner.add(1)
          return owner.committed.count
        })
      await gate.wait()
      answers.append(await commit { owner in owner.committed.count })
      await ended.wait()
    }
    await gate.waitForArrivals(1)
    await owner.cancel()
    await caller.value
    gate.open()
    await ended.waitForArrivals(1)
    #expect(answers.values == [1, nil])
  }

  @Test("if the last caller is cancelled, onCancel runs once on the owner, and no step follows")
  func onCancel() async {
    let owner = SlotOwner()
    let (gate, ended) = (Gate(), Gate(isOpen: true))
    let caller = await owner.call { owner in
      await owner.runInSteps { commit in
        #expect(await commit { $0.add(1) })
        await gate.wait()
        #expect(await commit { $0.add(2) } == false)
        await ended.wait()
      } onCancel: { owner in
        owner.assertIsolated()
        owner.commit(.cancelled)
      }
    }
    await gate.waitForArrivals(1)
    caller.cancel()
    await caller.value
    #expect(await owner.committed == [.value(1), .cancelled])
    #expect(!owner.isRunning)
    gate.open()
    await ended.waitForArrivals(1)
    #expect(await owner.committed == [.value(1), .cancelled])
  }

  @Test(
    "if the caller is already cancelled, the work does not begin, and onCancel runs before the call returns")
  func cancelledBefore() async {
    let owner = SlotOwner()
    let (gate, notes) = (Gate(), Notes())
    let caller = Task {
      await gate.wait()
      await owner.runInSteps { _ in notes.add("work") }
      #expect(await owner.committed == [.cancelled])
    }
    caller.cancel()
    gate.open()
    await caller.value
    #expect(notes.all == [])
    #expect(!owner.isRunning)
  }

  @Test(
    "onCancel does not run if the run ends, is superseded or is cancelled by the slot",
    arguments: ["ended", "superseded", "cancelled"])
  func noCancellation(end: String) async {
    let owner = SlotOwner()
    let gate = Gate()
    let caller = await owner.callInSteps { commit in await gate.wait() }
    await gate.waitForArrivals(1)
    if end == "superseded" { await owner.run { 2 } }
    if end == "cancelled" { await owner.cancel() }
    if end == "ended" { gate.open() }
    await caller.value
    caller.cancel()
    gate.open()
    #expect(await owner.committed == (end == "superseded" ? [.value(2)] : []))
  }

  @Test("the captures of work and onCancel are released outside the lock of the slot")
  func releasesOutsideTheLock() async throws {
    let owner = SlotOwner(.join)
    let (gate, released) = (Gate(), Tally())
    try await LeakTracker.check { tracker in
      let first = await {
        let onRelease: @Sendable () -> Void = { [slot = owner.slot] in
          // Waits for the lock of the slot.
          if !slot.isRunning { released.increment() }
        }
        let byWork = tracker.track(Reentrant(1, onRelease: onRelease))
        let byOnCancel = tracker.track(Reentrant(2, onRelease: onRelease))
        return await owner.call { owner in
          await owner.runInSteps { _ in
            await gate.wait()
            withExtendedLifetime(byWork) {}
          } onCancel: {
            $0.add(byOnCancel.number)
          }
        }
      }()
      await gate.waitForArrivals(1)
      // This start joins the run without waiting. So the run continues after its first caller has left, and
      // no waiting caller keeps the closures alive.
      owner.start { 2 }
      first.cancel()
      await first.value
      // Now only the slot and its task keep the closures alive.
      gate.open()
      while owner.isRunning { await Task.yield() }
    }
    // An object counts as released as soon as its `deinit` begins, perhaps on another thread.
    try await until { released.count >= 2 }
    #expect(released.count == 2)
    #expect(await owner.committed == [])
  }

  @Test("work in steps does not keep its owner alive, and a step does not run after the owner is deallocated")
  func stepsWithoutOwner() async throws {
    let (gate, ended) = (Gate(), Gate(isOpen: true))
    let didCommit = Atomic(true)
    try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner())
      let caller = await owner.callInSteps { commit in
        await commit { $0.add(1) }
        await gate.wait()
        didCommit.store(await commit { $0.add(2) }, ordering: .relaxed)
        await ended.wait()
      }
      await gate.waitForArrivals(1)
      // A waiting caller keeps the owner alive, so this caller is cancelled.
      caller.cancel()
      await caller.value
    }
    gate.open()
    await ended.waitForArrivals(1)
    #expect(didCommit.load(ordering: .relaxed) == false)
  }
}
