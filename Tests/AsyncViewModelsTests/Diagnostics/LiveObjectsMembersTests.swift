import AsyncViewModelsGCD
import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@Suite(
  "LiveObjects: the tasks and observers that the library itself counts", .timeLimit(.minutes(5)), .endsWaits,
  .enabled(if: LiveObjects.areCounted))
struct LiveObjectsMembersTests {
  private actor Owner {
    private let slot = TaskSlot(.serial)

    nonisolated func start(_ gate: Gate) -> TaskSlot.Run {
      slot.start(on: self) {
        await gate.wait()
      } commit: { _, _ in
      }
    }
  }

  @Test("each stream of a state or a channel counts as an observer until it is released")
  func observers() async throws {
    try await LiveObjects.assertNothingLives {
      let state = StateStore(0)
      let events = EventChannel<String>()
      var streams: [Any] = [state.states(), state.values(), state.states(.unbounded), events.stream()]
      let count = LiveObjects.current.count
      #expect(count[.observer, "LatestValueObserver<Int>"] == 2)
      #expect(count[.observer, "BufferedObserver<Int>"] == 1)
      #expect(count[.observer, "BufferedObserver<String>"] == 1)
      #expect(count[.observer] == 4)
      streams.removeAll()
    }
  }

  @Test("the observer of a CallbackState counts until its token is cancelled")
  func binding() async throws {
    try await LiveObjects.assertNothingLives {
      let value = CallbackState(0)
      let token = value.bind(on: DispatchQueue(label: "binding")) { _ in }
      #expect(LiveObjects.current.count[.observer, "CallbackBinding<Int>"] == 1)
      token.cancel()
    }
  }

  @Test("each run of a slot counts as a task under its owner's name until its commit has ended")
  func slot() async throws {
    try await LiveObjects.assertNothingLives {
      let owner = Owner()
      let gate = Gate()
      let runs = [owner.start(gate), owner.start(gate)]
      #expect(LiveObjects.current.count[.task, "TaskSlot of Owner"] == 2)
      gate.open()
      for run in runs { await run.wait() }
      // The task of a run ends just after its commit.
      try await LiveObjects.assertNothingLives()
    }
  }

  @Test("each task that a bag runs or stores counts until it ends, even if the bag cancels it before")
  func bag() async throws {
    try await LiveObjects.assertNothingLives {
      let bag = TaskBag()
      let gate = Gate()
      let task = bag.run { await Task { await gate.wait() }.value }
      bag.insert(Task { await Task { await gate.wait() }.value })
      bag.close()
      #expect(bag.count == 0)
      #expect(LiveObjects.current.count[.task, "TaskBag"] == 2)
      gate.open()
      await task.value
      #expect(LiveObjects.current.count[.task, "TaskBag"] <= 1)
    }
  }

  @Test("an observation counts as a task and an observer until its token is cancelled")
  func observation() async throws {
    try await LiveObjects.assertNothingLives {
      let state = StateStore(0)
      let owner = Owner()
      let token = state.states().observe(on: owner) { _, _ in }
      #expect(LiveObjects.current.count[.task, "observe on Owner"] == 1)
      #expect(LiveObjects.current.count[.observer] == 1)
      token.cancel()
    }
  }

  @Test("a single flight counts as one task for all its callers, and a delivery on a queue as one task")
  func flightAndDelivery() async throws {
    try await LiveObjects.assertNothingLives {
      let flights = SingleFlight<Int, Int>()
      let gate = Gate()
      async let first = flights.value(for: 1) {
        await gate.wait()
        return 1
      }
      async let second = flights.value(for: 1) {
        await gate.wait()
        return 2
      }
      let state = StateStore(0)
      let token = state.states().observe(on: DispatchQueue(label: "delivery")) { _ in }
      #expect(LiveObjects.current.count[.task, "observe on DispatchQueue"] == 1)
      try await until { LiveObjects.current.count[.task, "SingleFlight<Int, Int>"] > 0 }
      #expect(LiveObjects.current.count[.task, "SingleFlight<Int, Int>"] == 1)
      gate.open()
      _ = try await (first, second)
      token.cancel()
      state.finish()
    }
  }

  @Test("a debounced or throttled sequence counts as one task until it ends")
  func timing() async throws {
    try await LiveObjects.assertNothingLives {
      let state = StateStore(0)
      let debounced = state.values().debounced(for: .seconds(1), clock: VirtualClock())
      let throttled = state.values().throttled(for: .seconds(1), clock: VirtualClock())
      let readers = [Task { for await _ in debounced {} }, Task { for await _ in throttled {} }]
      for name in ["DebounceMachine<Int>", "ThrottleMachine<Int>"] {
        try await until { LiveObjects.current.count[.task, name] == 1 }
      }
      state.finish()
      for reader in readers { await reader.value }
    }
  }

  @Test("an operation with a deadline counts as a task until it ends, even if its caller has stopped waiting")
  func deadlines() async throws {
    try await LiveObjects.assertNothingLives {
      let (clock, gate, cancelled) = (VirtualClock(), Gate(), Gate())
      let kept = Task {
        try await withDeadline(.seconds(1), clock: clock) {
          await withTaskCancellationHandler {
            await gate.wait()
          } onCancel: {
            cancelled.open()
          }
        }
      }
      let left = Task { try await withAbandoningDeadline(.seconds(1), clock: clock) { await gate.wait() } }
      await gate.waitForArrivals(2)
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(1))
      await #expect(throws: DeadlineExceeded.self) { try await left.value }
      await cancelled.wait()
      #expect(LiveObjects.current.count[.task, "withDeadline"] == 1)
      #expect(LiveObjects.current.count[.task, "withAbandoningDeadline"] == 1)
      gate.open()
      await #expect(throws: DeadlineExceeded.self) { try await kept.value }
    }
  }

  @Test("work for a completion handler counts as a task until it ends, even if it was cancelled before")
  func delivery() async throws {
    try await LiveObjects.assertNothingLives {
      let gate = Gate()
      let token = CancellationToken.run(completion: { (_: Result<Void, any Error>) in }) { await gate.wait() }
      token.cancel()
      #expect(LiveObjects.current.count[.task, "CancellationToken.run"] == 1)
      gate.open()
    }
  }
}
