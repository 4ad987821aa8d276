import AsyncViewModels
import AsyncViewModelsRecorder
import AsyncViewModelsTesting
import AsyncViewModelsUI
import Foundation
import Testing

#if os(macOS) || os(Linux)
  /// The recorder belongs to the process, so each test has a process of its own.
  @Suite("FlightRecorder", .timeLimit(.minutes(5)), .endsWaits)
  struct FlightRecorderTests {
    private struct Failure: Error {}

    /// Records `body` in memory. Returns the events of the objects with `name`, without their number.
    fileprivate static func record(_ name: String, _ body: () async throws -> Void) async throws -> [String] {
      try FlightRecorder.start()
      defer { FlightRecorder.stop() }
      try await body()
      return FlightRecorder.log.texts(of: name)
    }

    @Test("the versions of a state, its observers and its end are recorded")
    func state() async {
      await #expect(processExitsWith: .success) {
        struct Total: Sendable { var value = 0 }
        let texts = try await FlightRecorderTests.record("state Total") {
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
            "is created", "version 2 changes value", "version 3 changes value", "version 4",
            "an observer comes, now 1",
            "finishes with version 4", "an observer leaves, now 0",
          ])
      }
    }

    @Test("a version names the fields that changed, if the state is a structure with known fields")
    func fields() async {
      await #expect(processExitsWith: .success) {
        struct Feed: Sendable {
          var isLoading = false
          var name: String?
          var items = [1, 2]
          var total = 0
        }
        struct Nested: Sendable {
          struct Inner: Sendable {
            var isOn = false
            var value: Int?
          }
          var inner = Inner()
          var query = ""
          private var hidden = 0
        }
        struct Mirrored: Sendable, CustomReflectable {
          var value = 0
          var customMirror: Mirror { Mirror(self, children: ["other": value]) }
        }
        try FlightRecorder.start()
        defer { FlightRecorder.stop() }
        let (feed, nested, mirrored) = (StateStore(Feed()), StateStore(Nested()), StateStore(Mirrored()))
        let existential = StateStore<any Sendable>(Feed())
        feed.update { $0.isLoading = true }
        feed.update { $0.items[0] = 7 }
        feed.update {
          $0.name = "a name that is too long to be stored in place"
          $0.total += 1
        }
        feed.update { _ in }
        feed.send(Feed())
        var (next, version) = feed.storage.versionedValue
        next.total = 5
        #expect(feed.storage.send(next, ifVersion: version))
        nested.update { $0.query = "a" }
        nested.update { $0.inner.value = 1 }
        mirrored.update { $0.value = 1 }
        existential.send(Feed(total: 1))
        let log = FlightRecorder.log
        #expect(
          log.texts(of: "state Feed") == [
            "is created", "version 2 changes isLoading", "version 3 changes items",
            "version 4 changes name, total", "version 5 changes nothing",
            "version 6 changes isLoading, name, items, total", "version 7 changes total",
          ])
        #expect(
          log.texts(of: "state Nested") == [
            "is created", "version 2 changes query", "version 3 changes inner",
          ])
        #expect(log.texts(of: "state Mirrored") == ["is created", "version 2"])
        #expect(log.texts(of: "state Any") == ["is created", "version 2"])
        withExtendedLifetime((feed, nested, mirrored, existential)) {}
      }
    }

    @Test("the last of many fields share a name")
    func manyFields() async {
      await #expect(processExitsWith: .success) {
        struct Wide: Sendable {
          var a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, a7 = 0, a8 = 0
          var b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0, b6 = 0, b7 = 0, b8 = 0
          var c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, c7 = 0, c8 = 0
        }
        let texts = try await FlightRecorderTests.record("state Wide") {
          let state = StateStore(Wide())
          state.update { $0.c6 = 1 }
          state.update { $0.c7 = 1 }
          state.update { ($0.a1, $0.c8) = (1, 1) }
          withExtendedLifetime(state) {}
        }
        #expect(
          Array(texts.prefix(4)) == [
            "is created", "version 2 changes c6", "version 3 changes other fields",
            "version 4 changes a1, other fields",
          ])
      }
    }

    @Test("a run has a start and an end, also if it fails or cancels itself")
    func run() async {
      await #expect(processExitsWith: .success) {
        actor Owner {}
        for error in [nil, Failure(), CancellationError()] as [(any Error)?] {
          let texts = try await FlightRecorderTests.record("slot of Owner") {
            await TaskSlot().run(on: Owner()) {
              if let error { throw error }
            } commit: { (_, _: TaskOutcome<Void>) in
            }
          }
          #expect(texts == ["is used", "run 1 is added", "the work of run 1 ends"])
        }
      }
    }

    @Test("each cancellation of a run names its cause, and late work is recorded")
    func cancellation() async {
      await #expect(processExitsWith: .success) {
        actor Owner {}
        let texts = try await FlightRecorderTests.record("slot of Owner") {
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
    }

    @Test("late work, joined runs and dropped runs are recorded")
    func policies() async {
      await #expect(processExitsWith: .success) {
        actor Late {}
        actor Joined {}
        actor Dropped {}
        try FlightRecorder.start()
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
        withExtendedLifetime((joined, dropped)) {}
        let log = FlightRecorder.log
        // The late work ends before or after the start of the next run.
        #expect(
          log.texts(of: "slot of Late").filter { $0 != "run 3 is added" } == [
            "is used", "run 1 is added", "run 1 is cancelled by cancel()",
            "the work of run 1 ends late, and is ignored", "the work of run 3 ends",
          ])
        #expect(
          log.texts(of: "slot of Joined") == [
            "is used", "run 1 is added", "a caller joins run 1", "the work of run 1 ends",
          ])
        #expect(
          log.texts(of: "slot of Dropped") == [
            "is used", "run 1 is added", "a run is dropped, because run 1 is running",
            "the work of run 1 ends",
          ])
      }
    }

    @Test("the leases of a view model are recorded, and its release")
    func leases() async {
      await #expect(processExitsWith: .success) {
        actor LeasedModel {}
        let texts = try await FlightRecorderTests.record("store of LeasedModel") {
          let store = ViewModelStore<Int, LeasedModel>(retention: .zero) { _ in LeasedModel() }
          await store.lease(7, file: "Shop/Cart.swift", line: 40).hold { first in
            await store.current(7, file: "Shop/List.swift", line: 3)?.hold { #expect($0 === first) }
          }
          withExtendedLifetime(store) {}
        }
        #expect(
          texts == [
            "is created", "view model 1 is made", "the lease of view model 1 in Shop/Cart.swift:40 begins",
            "the lease of view model 1 in Shop/List.swift:3 begins",
            "the lease of view model 1 in Shop/List.swift:3 ends",
            "the lease of view model 1 in Shop/Cart.swift:40 ends",
            "view model 1 is released", "closes, and releases its view models",
          ])
      }
    }

    @Test("the tasks of a bag are recorded, and what cancels them")
    func bag() async {
      await #expect(processExitsWith: .success) {
        let texts = try await FlightRecorderTests.record("TaskBag") {
          let (bag, gate) = (TaskBag(), Gate())
          await bag.run {}.value
          let task = bag.run { await gate.wait() }
          await gate.waitForArrivals(1)
          bag.close()
          gate.open()
          await task.value
        }
        let expected = [
          "task 1 starts", "task 1 ends", "task 2 starts", "closes, and cancels what it contains (1)",
          "task 2 ends",
        ]
        for text in expected { #expect(texts.contains(text)) }
      }
    }
  }

  extension FlightLog {
    /// The texts of the objects with a role and a type, such as `state Total`.
    fileprivate func texts(of name: String) -> [String] {
      let words = name.split(separator: " ")
      return entries.filter { entry in
        let object = entry.object.prefix { $0 != "#" }.split { $0 == " " || $0 == "." }
        return object.first == words.first && object.last == words.last
      }.map(\.text)
    }
  }
#endif
