import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing

@Suite("TaskSlot: work in steps", .timeLimit(.minutes(1)))
struct TaskSlotStepTests {
  private static let policies: [TaskSlot.Policy] = [.latest, .keepRunning, .join, .serial, .concurrent]

  @Test("each step commits while the run is current", arguments: policies)
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

  @Test("a superseded or cancelled run commits no further step", arguments: [true, false])
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

  @Test("a step returns the result of its closure, or nil if the run is no longer current")
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

  @Test("work in steps does not keep its owner alive, and a step after the owner's end returns false")
  func stepsWithoutOwner() async throws {
    let gate = Gate()
    let didCommit = Atomic(true)
    let task = try await LeakTracker.check { tracker in
      let owner = tracker.track(SlotOwner())
      let task = await owner.runInSteps { commit in
        await commit { $0.add(1) }
        await gate.wait()
        didCommit.store(await commit { $0.add(2) }, ordering: .relaxed)
      }
      await gate.waitForArrivals(1)
      return task
    }
    gate.open()
    await task.value
    #expect(didCommit.load(ordering: .relaxed) == false)
  }
}
