import AsyncViewModels
import AsyncViewModelsRecorder
import AsyncViewModelsTesting
import AsyncViewModelsUI
import Foundation
import Testing

/// The recorder belongs to the process, in which other suites run at the same time. Each test uses
/// its own types, and reads only their events.
@Suite("FlightRecorder", .serialized, .timeLimit(.minutes(5)), .endsWaits)
struct FlightRecorderTests {
  private struct Failure: Error {}

  /// Records `body` in memory. Returns the events of the objects with `name`, without their number.
  private func record(_ name: String, _ body: () async throws -> Void) async throws -> [String] {
    try FlightRecorder.start(capacity: 1 << 17)
    defer { FlightRecorder.stop() }
    try await body()
    return FlightRecorder.log.texts(of: name)
  }

  @Test("the versions of a state, its observers and its end are recorded")
  func state() async throws {
    struct Total: Sendable { var value = 0 }
    let texts = try await record("state Total") {
      let state = StateStore(Total())
      state.send(Total(value: 1))
      state.update { $0.value = 2 }
      state.updateInPlace { $0.value = 3 }
      var observer = state.values().makeAsyncIterator()
      #expect(await observer.next()?.value == 3)
      state.finish()
      state.send(Total(value: 4))
      _ = await observer.next()
      #expect(await observer.next() == nil)
    }
    #expect(
      texts == [
        "is created", "version 2", "version 3", "version 4", "an observer comes, now 1",
        "finishes with version 4", "an observer leaves, now 0",
      ])
  }

  @Test("a run has a start and an end, with the type of the error")
  func run() async throws {
    actor Success {}
    actor Error {}
    actor Cancellation {}
    try FlightRecorder.start(capacity: 1 << 17)
    defer { FlightRecorder.stop() }
    await TaskSlot().run(on: Success()) {
      1
    } commit: { _, _ in
    }
    await TaskSlot().run(on: Error()) {
      throw Failure()
    } commit: { (_, _: TaskOutcome<Int>) in
    }
    await TaskSlot().run(on: Cancellation()) {
      throw CancellationError()
    } commit: { (_, _: TaskOutcome<Int>) in
    }
    let log = FlightRecorder.log
    let start = ["is used", "run 1 starts"]
    #expect(log.texts(of: "slot of Success") == start + ["the work of run 1 succeeds"])
    #expect(log.texts(of: "slot of Error") == start + ["the work of run 1 fails with Failure"])
    #expect(log.texts(of: "slot of Cancellation") == start + ["the work of run 1 cancels itself"])
  }

  @Test("each cancellation of a run names its cause, and late work is recorded")
  func cancellation() async throws {
    actor Owner {}
    let texts = try await record("slot of Owner") {
      let (owner, gate) = (Owner(), Gate())
      var slot: TaskSlot? = TaskSlot()
      let work = { @Sendable in await gate.wait() }
      func start() -> TaskSlot.Run? { slot?.start(on: owner, work) { _, _ in } }
      let first = start()
      await gate.waitForArrivals(1)
      _ = start()
      await gate.waitForArrivals(2)
      slot?.cancel()
      await first?.wait()
      let abandoned = Task { [run = start()] in await run?.wait() }
      abandoned.cancel()
      await abandoned.value
      _ = start()
      slot = nil
      gate.open()
    }
    let causes = texts.filter { $0.contains("superseded") || $0.contains("is cancelled") }
    #expect(
      causes == [
        "run 1 is superseded", "run 3 is cancelled by cancel()", "run 6 is cancelled by its last caller",
        "run 9 is cancelled, because its slot is released",
      ])
  }

  @Test("late work, joined runs and dropped runs are recorded")
  func policies() async throws {
    actor Late {}
    actor Joined {}
    actor Dropped {}
    try FlightRecorder.start(capacity: 1 << 17)
    defer { FlightRecorder.stop() }
    let gate = Gate()
    let work = { @Sendable in await gate.wait() }
    let late = (owner: Late(), slot: TaskSlot(.serial))
    _ = late.slot.start(on: late.owner, work) { _, _ in }
    await gate.waitForArrivals(1)
    late.slot.cancel()
    let (joined, dropped) = (
      (owner: Joined(), slot: TaskSlot(.join)), (owner: Dropped(), slot: TaskSlot(.keepRunning))
    )
    let runs = (1...2).flatMap { _ in
      [
        joined.slot.start(on: joined.owner, work) { _, _ in },
        dropped.slot.start(on: dropped.owner, work) { _, _ in },
      ]
    }
    gate.open()
    for run in runs { await run.wait() }
    // Begins when the cancelled work has ended.
    await late.slot.run(on: late.owner, work) { _, _ in }
    let log = FlightRecorder.log
    // The late work ends before or after the start of the next run.
    #expect(
      log.texts(of: "slot of Late").filter { $0 != "run 3 starts" } == [
        "is used", "run 1 starts", "run 1 is cancelled by cancel()",
        "the work of run 1 ends late, and is ignored", "the work of run 3 succeeds",
      ])
    #expect(
      log.texts(of: "slot of Joined") == [
        "is used", "run 1 starts", "a caller joins run 1", "the work of run 1 succeeds",
      ])
    #expect(
      log.texts(of: "slot of Dropped") == [
        "is used", "run 1 starts", "a run is dropped, because run 1 is running", "the work of run 1 succeeds",
      ])
  }

  @Test("the leases of a view model are recorded, and its release")
  func leases() async throws {
    actor LeasedModel {}
    let texts = try await record("store of LeasedModel") {
      let store = ViewModelStore<Int, LeasedModel>(retention: .zero) { _ in LeasedModel() }
      var first: ViewModelLease<LeasedModel>? = await store.lease(7)
      var second = store.current(7)
      #expect(first?.model === second?.model)
      first = nil
      second = nil
    }
    #expect(
      texts == [
        "is created", "view model 1 is made", "a lease of view model 1 begins",
        "a lease of view model 1 begins", "a lease of view model 1 ends", "a lease of view model 1 ends",
        "view model 1 is released",
      ])
  }

  @Test("the tasks of a bag are recorded, and what cancels them")
  func bag() async throws {
    let texts = try await record("TaskBag") {
      let (bag, gate) = (TaskBag(), Gate())
      await bag.run {}.value
      let task = bag.run { await gate.wait() }
      await gate.waitForArrivals(1)
      bag.close()
      gate.open()
      await task.value
    }
    // Other suites use bags, too.
    let expected = [
      "task 1 starts", "task 1 ends", "task 2 starts", "closes and cancels 1 tasks and tokens", "task 2 ends",
    ]
    for text in expected { #expect(texts.contains(text)) }
  }
}

extension FlightLog {
  /// The texts of the objects with a name.
  fileprivate func texts(of name: String) -> [String] {
    entries.filter { $0.object.hasPrefix("\(name) #") }.map(\.text)
  }
}
