import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

/// A class on the main actor that owns a slot, and records what is committed.
@MainActor
private final class MainActorOwner {
  let slot: TaskSlot
  private(set) var committed: [SlotOwner.Entry] = []
  private let notes: Notes?

  init(_ policy: TaskSlot.Policy = .latest, notes: Notes? = nil) {
    slot = TaskSlot(policy)
    self.notes = notes
  }

  func add(_ value: Int) { commit(.success(value)) }

  func commit(_ outcome: TaskOutcome<Int>) {
    MainActor.assertIsolated()
    committed.append(SlotOwner.Entry(outcome))
    notes?.add("\(outcome)")
  }

  func run(_ work: @escaping SlotOwner.Work) async {
    await slot.run(on: self, work) { owner, outcome in owner.commit(outcome) }
  }

  func start(at position: Int? = nil, _ work: @escaping SlotOwner.Work) -> TaskSlot.Run {
    slot.start(at: position, on: self, work) { owner, outcome in owner.commit(outcome) }
  }

  func runInSteps(_ work: @escaping @Sendable (CommitGate<MainActorOwner>) async -> Void) async {
    await slot.run(on: self, inSteps: work) { owner in owner.commit(.cancelled) }
  }

  func startInSteps(
    _ work: @escaping @Sendable (CommitGate<MainActorOwner>) async -> Void
  ) -> TaskSlot.Run {
    slot.start(on: self, inSteps: work) { owner in owner.commit(.cancelled) }
  }
}

@MainActor
@Suite("TaskSlot: owners on the main actor", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotMainActorTests {
  /// Calls `body` in a new task. Returns when the call has returned or is suspended.
  private func call(_ body: @escaping @MainActor () async -> Void) async -> Task<Void, Never> {
    let begun = Gate(isOpen: true)
    let task = Task {
      async let arrival: Void = begun.wait()
      await body()
      await arrival
    }
    await begun.waitForArrivals(1)
    return task
  }

  @Test("run returns after the commit, for each outcome", arguments: TaskSlot.Policy.all)
  func run(policy: TaskSlot.Policy) async {
    let owner = MainActorOwner(policy)
    await owner.run { 1 }
    #expect(owner.committed == [.value(1)])
    await owner.run { throw CancellationError() }
    await owner.run { throw Refused() }
    #expect(owner.committed == [.value(1), .cancelled, SlotOwner.Entry(.failure(Refused()))])
    #expect(!owner.slot.isRunning)
  }

  @Test("cancelling or releasing the slot ends its run, and all callers return, also those of replaced runs")
  func ends() async {
    let owner = MainActorOwner()
    let gate = Gate()
    let work: SlotOwner.Work = {
      await gate.wait()
      return 1
    }
    let first = await call { await owner.run(work) }
    await gate.waitForArrivals(1)
    let second = await call { await owner.run(work) }
    owner.slot.cancel()
    await first.value
    await second.value
    var slot: TaskSlot? = TaskSlot()
    let third = slot?.start(on: owner, work) { owner, outcome in owner.commit(outcome) }
    slot = nil
    await third?.wait()
    #expect(owner.committed == [])
    gate.open()
    await owner.run { 2 }
    #expect(owner.committed == [.value(2)])
  }

  @Test(
    "callers that join share one run, which commits `.cancelled` only if all of them are cancelled",
    arguments: [true, false])
  func join(allLeave: Bool) async {
    let owner = MainActorOwner(.join)
    let gate = Gate()
    var callers: [Task<Void, Never>] = []
    for _ in 1...3 {
      callers.append(
        await call {
          await owner.run {
            await gate.wait()
            return 1
          }
        })
    }
    await gate.waitForArrivals(1)
    for caller in callers.dropLast(allLeave ? 0 : 1) {
      #expect(owner.committed == [])
      caller.cancel()
      await caller.value
    }
    if !allLeave { gate.open() }
    await callers[2].value
    #expect(owner.committed == [allLeave ? .cancelled : .value(1)])
    gate.open()
    await owner.run { 2 }
    #expect(owner.committed.last == .value(2))
    #expect(owner.committed.count == 2)
  }

  @Test("a caller that is already cancelled starts no work, and commits `.cancelled` before it returns")
  func cancelledBefore() async {
    let owner = MainActorOwner()
    let begun = Tally()
    for steps in [true, false] {
      let caller = Task { @MainActor in
        if steps {
          await owner.runInSteps { _ in begun.increment() }
        } else {
          await owner.run { begun.increment() }
        }
        #expect(owner.committed == [.cancelled, .cancelled].suffix(steps ? 1 : 2))
      }
      caller.cancel()
      await caller.value
    }
    #expect(begun.count == 0)
  }

  @Test("a step runs on the main actor and returns its result, or nil if the run is no longer current")
  func steps() async {
    let owner = MainActorOwner()
    let answers = DeliveryLog<Int?>()
    let (gate, ended) = (Gate(), Gate(isOpen: true))
    await owner.runInSteps { commit in
      #expect(await commit { $0.add(1) })
      answers.append(await commit { $0.committed.count })
    }
    let old = await call {
      await owner.runInSteps { commit in
        await gate.wait()
        #expect(await commit { $0.add(2) } == false)
        answers.append(await commit { $0.committed.count })
        await ended.wait()
      }
    }
    await gate.waitForArrivals(1)
    old.cancel()
    await old.value
    gate.open()
    await ended.waitForArrivals(1)
    #expect(owner.committed == [.value(1), .cancelled])
    #expect(answers.values == [1, nil])
  }

  @Test("work in steps that was started runs without a caller, and is cancelled with its last caller")
  func startedSteps() async {
    let owner = MainActorOwner()
    let gate = Gate()
    let first = owner.startInSteps { commit in
      await gate.wait()
      for value in 1...2 { #expect(await commit { $0.add(value) } != nil) }
    }
    #expect(owner.slot.isRunning)
    gate.open()
    await first.wait()
    #expect(owner.committed == [.value(1), .value(2)])
    let second = owner.startInSteps { commit in
      try? await Gate().waitUnlessCancelled()
      #expect(await commit { $0.add(3) } == nil)
    }
    let caller = await call { await second.wait() }
    caller.cancel()
    await caller.value
    #expect(owner.committed == [.value(1), .value(2), .cancelled])
  }

  @Test("start takes effect before it returns, but not at a position that the slot has already passed")
  func start() async {
    let owner = MainActorOwner()
    let gate = Gate()
    let first = owner.start(at: 1) {
      await gate.wait()
      return 1
    }
    #expect(owner.slot.isRunning)
    let second = owner.start(at: 2) { 2 }
    await owner.start(at: 1) { 3 }.wait()
    await first.wait()
    await second.wait()
    #expect(owner.committed == [.value(2)])
    let third = owner.start(at: 3) {
      await gate.wait()
      return 3
    }
    let waiting = await call { await third.wait() }
    waiting.cancel()
    await waiting.value
    #expect(owner.committed == [.value(2), .cancelled])
    owner.slot.cancel(at: 5)
    await owner.start(at: 4) { 4 }.wait()
    #expect(owner.committed == [.value(2), .cancelled])
    gate.open()
  }

  @Test("a caller off the main actor returns after the commit on the main actor")
  func fromElsewhere() async {
    let notes = Notes()
    let owner = MainActorOwner(.serial, notes: notes)
    await Task.detached {
      for round in 1...200 {
        await owner.slot.run(on: owner) {
          round
        } commit: { owner, outcome in
          owner.commit(outcome)
        }
        #expect(notes.all.count == round)
      }
    }.value
    #expect(owner.committed == (1...200).map(SlotOwner.Entry.value))
  }

  @Test("neither the slot nor its work keeps the owner alive, and the waiting callers return")
  func ownersEnd() async throws {
    let (gate, cancelled) = (Gate(), Gate(isOpen: true))
    // A slot that outlives the owner.
    let slot = TaskSlot(.concurrent)
    var runs: [TaskSlot.Run] = []
    try await LeakTracker.check { tracker in
      let owner = tracker.track(MainActorOwner())
      let captured = tracker.track(Reentrant(1))
      runs.append(
        owner.start {
          do { try await gate.waitUnlessCancelled() } catch { await cancelled.wait() }
          return captured.number
        })
      for _ in 1...2 {
        runs.append(
          slot.start(on: owner) {
            await gate.wait()
            return 1
          } commit: { owner, outcome in
            owner.commit(outcome)
          })
      }
      await gate.waitForArrivals(3)
    }
    await cancelled.waitForArrivals(1)
    await runs[0].wait()
    let leaving = await call { [runs] in await runs[1].wait() }
    leaving.cancel()
    await leaving.value
    gate.open()
    await runs[2].wait()
    #expect(!slot.isRunning)
  }
}
