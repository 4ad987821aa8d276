import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("TaskBag", .timeLimit(.minutes(5)), .endsWaits)
struct TaskBagTests {
  /// Waits at the gate and notes whether the wait was cancelled.
  private static func work(_ gate: Gate, _ notes: Notes) async {
    do {
      try await gate.waitUnlessCancelled()
      notes.add("done")
    } catch {
      notes.add("cancelled")
    }
  }

  @Test("the bag removes a task that has ended, and the captures of the task are freed")
  func removesEndedTasks() async throws {
    let bag = TaskBag()
    let (gate, notes) = (Gate(), Notes())
    try await LeakTracker.check { tracker in
      let captured = tracker.track(Reentrant(0))
      let task = bag.run {
        await gate.wait()
        notes.add("\(captured.number)")
      }
      #expect(bag.count == 1)
      gate.open()
      await task.value
      #expect(bag.count == 0)
    }
    #expect(notes.all == ["0"])
  }

  @Test("tokens are cancelled in the order in which they were added")
  func order() {
    let (bag, notes) = (TaskBag(), Notes())
    for number in 1...20 { bag.insert(CancellationToken { notes.add("\(number)") }) }
    bag.close()
    #expect(notes.all == (1...20).map { "\($0)" })
  }

  @Test("tokens whose work has ended are dropped")
  func endedTokens() async throws {
    let bag = TaskBag()
    let owner = SlotOwner()
    for number in 0..<1_000 {
      bag.insert(.finished)
      let token = CancellationToken {}
      bag.insert(token)
      token.finish()
      bag.insert(StateStore(number).states().observe(on: owner) { _, _ in })
    }
    try await until { bag.count == 0 }
  }

  @Test("an ended token is released after further tokens were added")
  func releasesEndedTokens() {
    let bag = TaskBag()
    func insertEnded() -> WeakReference<CancellationToken> {
      let token = CancellationToken {}
      bag.insert(token)
      token.finish()
      return WeakReference(token)
    }
    let ended = insertEnded()
    let live = (1...100).map { _ in CancellationToken {} }
    for token in live { bag.insert(token) }
    #expect(ended.object == nil)
    #expect(bag.count == 100)
  }

  private struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
    init(_ object: Object) { self.object = object }
  }

  private actor Caller {
    private(set) var isDone = false

    func work(in bag: TaskBag) async {
      await bag.run { self.finish() }.value
    }

    private func finish() { isDone = true }
  }

  @Test("work inherits the isolation of its creator, unless its closure names another one")
  @MainActor
  func isolation() async {
    let bag = TaskBag()
    await bag.run { MainActor.assertIsolated() }.value
    await Task.detached { await bag.run { @MainActor in MainActor.assertIsolated() }.value }.value
    let caller = Caller()
    await caller.work(in: bag)
    #expect(await caller.isDone)
    let owner = SlotOwner()
    await bag.run { await owner.add(1) }.value
    #expect(await owner.committed == [.value(1)])
  }

  @Test("a task has the requested priority")
  func priority() async {
    let priority = Mutex<TaskPriority?>(nil)
    let done = Gate(isOpen: true)
    let bag = TaskBag()
    bag.run(priority: .background) {
      priority.withLock { $0 = Task.currentPriority }
      await done.wait()
    }
    await done.waitForArrivals(1)
    #expect(priority.withLock { $0 } == .background)
  }

  @Test("close within a task of the bag cancels that task, too")
  func closeFromWithin() async {
    for _ in 0..<1_000 {
      let bag = TaskBag()
      let (hasCancelled, gate) = (Gate(isOpen: true), Gate())
      let task = bag.run {
        bag.close()
        await hasCancelled.wait()
        await gate.wait()
      }
      // `run` and `close` may take effect in either order; after both, the task is cancelled.
      await hasCancelled.waitForArrivals(1)
      #expect(task.isCancelled)
      #expect(bag.count == 0)
      gate.open()
      await task.value
    }
  }

  @Test("close cancels the running tasks")
  func closeCancels() async {
    let bag = TaskBag()
    let (gate, notes) = (Gate(), Notes())
    let task = bag.run { await Self.work(gate, notes) }
    bag.close()
    await task.value
    #expect(notes.all == ["cancelled"])
    #expect(bag.count == 0)
  }

  @Test("work added after close is cancelled before it begins")
  func runAfterClose() async {
    let bag = TaskBag()
    bag.close()
    for _ in 0..<1_000 {
      let sawCancellation = Atomic(false)
      await bag.run { sawCancellation.store(Task.isCancelled, ordering: .relaxed) }.value
      guard sawCancellation.load(ordering: .relaxed) else {
        Issue.record("the work began without being cancelled")
        return
      }
    }
    #expect(bag.count == 0)
  }

  @Test("tasks and tokens inserted after close are cancelled at once")
  func insertAfterClose() async {
    let bag = TaskBag()
    bag.close()
    let (gate, notes) = (Gate(), Notes())
    let task = Task { await Self.work(gate, notes) }
    bag.insert(task)
    #expect(task.isCancelled)
    let token = CancellationToken {}
    bag.insert(token)
    #expect(token.isCancelled)
    #expect(bag.count == 0)
    let late = CancellationToken {}
    bag.insert(late)
    #expect(late.isCancelled)
  }

  @Test("a deallocated bag cancels its tasks and tokens, and its tasks do not keep it alive")
  func deinitialization() async throws {
    let (gate, notes) = (Gate(), Notes())
    let token = CancellationToken { notes.add("token") }
    let tasks = try await LeakTracker.check { tracker in
      let bag = tracker.track(TaskBag())
      let tasks = [bag.run { await Self.work(gate, notes) }, Task { await Self.work(gate, notes) }]
      bag.insert(tasks[1])
      bag.insert(token)
      await gate.waitForArrivals(2)
      return tasks
    }
    for task in tasks { await task.value }
    #expect(token.isCancelled)
    #expect(notes.all.sorted() == ["cancelled", "cancelled", "token"])
  }

  @Test("an inserted task stays in the bag until it ends")
  func insertTask() async throws {
    struct Failure: Error {}
    let bag = TaskBag()
    let gate = Gate()
    let returning = Task {
      await gate.wait()
      return 42
    }
    let failing = Task {
      await gate.wait()
      throw Failure()
    }
    bag.insert(returning)
    bag.insert(failing)
    #expect(bag.count == 2)
    gate.open()
    #expect(await returning.value == 42)
    try await until { bag.count == 0 }
    #expect(!returning.isCancelled)
    bag.insert(returning)
    try await until { bag.count == 0 }
  }

  @Test("close cancels an inserted token")
  func insertToken() {
    let bag = TaskBag()
    let notes = Notes()
    bag.insert(CancellationToken { notes.add("cancelled") })
    #expect(notes.all == [])
    #expect(bag.count == 1)
    bag.close()
    #expect(notes.all == ["cancelled"])
    #expect(bag.count == 0)
  }

  @Test("a token whose action uses the bag does not deadlock")
  func reentrantToken() {
    let bag = TaskBag()
    let counted = Atomic(-1)
    bag.insert(
      CancellationToken { [weak bag] in
        bag?.close()
        counted.store(bag?.count ?? -1, ordering: .relaxed)
      })
    bag.close()
    #expect(counted.load(ordering: .relaxed) == 0)
  }

  @Test("after a race of add and close, each added task has ended and each token is cancelled")
  func raceOfAddAndClose() async {
    for _ in 0..<2_000 {
      let bag = TaskBag()
      let gate = Gate()
      let tasks = Mutex<[Task<Void, Never>]>([])
      let tokens = Mutex<[CancellationToken]>([])
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        switch thread {
        case 0: bag.close()
        case 1:
          let task = bag.run { try? await gate.waitUnlessCancelled() }
          let other = Task { _ = try? await gate.waitUnlessCancelled() }
          bag.insert(other)
          tasks.withLock { $0 += [task, other] }
        default:
          let token = CancellationToken {}
          bag.insert(token)
          tokens.withLock { $0.append(token) }
        }
      }
      for task in tasks.withLock({ $0 }) { await task.value }
      guard bag.count == 0, tokens.withLock({ $0.allSatisfy(\.isCancelled) }) else {
        Issue.record("\(bag.count) entries left in a closed bag")
        return
      }
    }
  }
}
