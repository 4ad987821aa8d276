import AsyncViewModelsGCD
import AsyncViewModelsSimulation
import Dispatch
import Foundation
import SimulatedQueues
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if !canImport(Darwin)
  /// Code on dispatch queues runs unchanged in a simulated world.
  @Suite("Simulation: dispatch queues", .timeLimit(.minutes(5)))
  struct QueueTests {
    @Test("a serial queue keeps its order, and two queues have no order between them")
    func order() async throws {
      let orders = Mutex<Set<String>>([])
      let summary = try await simulate(
        seeds: 1...1_000, strategy: .exhaustive(preemptions: 5), queues: .simulated
      ) { world in
        let (left, right) = (DispatchQueue(label: "left"), DispatchQueue(label: "right"))
        let order = Mutex("")
        for name in ["a", "b"] { left.async { order.withLock { $0 += name } } }
        for name in ["x", "y"] { right.async { order.withLock { $0 += name } } }
        await world.settle()
        _ = orders.withLock { all in order.withLock { all.insert($0) } }
      }
      #expect(summary.isExhaustive)
      #expect(orders.withLock { $0 } == ["abxy", "axby", "axyb", "xaby", "xayb", "xyab"])
    }

    @Test("each queue has its name in the timeline, also one that is created after another one was released")
    func successors() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1, queues: .simulated) { world in
          let own = ["first", "second", "third"].map { name in { DispatchQueue(label: name) } }
          for queue in own + [{ .global(qos: .utility) }, { .global(qos: .background) }, { .main }] {
            await withCheckedContinuation { continuation in queue().async { continuation.resume() } }
          }
          world.fail("to see the timeline")
        }
      }
      let timeline = failure.timeline.joined()
      let systemQueues = [
        "com.apple.root.utility-qos", "com.apple.root.background-qos", "com.apple.main-thread",
      ]
      for name in ["first", "second", "third"] + systemQueues {
        #expect(timeline.contains(try Regex("queue \(name) +runs")), "\(failure)")
      }
    }

    @Test("sync runs its block on the queue, after all blocks that were submitted earlier")
    func sync() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let queue = DispatchQueue(label: "queue")
        let value = Mutex(0)
        queue.async { value.withLock { $0 = 1 } }
        let seen = queue.sync { () -> Int in
          dispatchPrecondition(condition: .onQueue(queue))
          return value.withLock { $0 }
        }
        world.expectEqual(seen, 1)
      }
    }

    @Test("asyncAfter waits in virtual time, and a cancelled item never runs")
    func after() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let queue = DispatchQueue(label: "queue")
        let order = Mutex<[Int]>([])
        queue.asyncAfter(deadline: .now() + 2_000) { order.withLock { $0.append(2) } }
        queue.asyncAfter(deadline: .now() + 1_000) { order.withLock { $0.append(1) } }
        let scheduled = DispatchCallbackScheduler().schedule(after: .seconds(500), on: queue) {
          order.withLock { $0.append(0) }
        }
        scheduled.cancel()
        await world.settle()
        world.expectEqual(order.withLock { $0 }, [1, 2])
        world.expectEqual(world.clock.now.offset, .seconds(2_000))
      }
    }

    @Test("blocks on the main queue are isolated to the main actor and keep their order")
    func mainQueue() async throws {
      try await simulate(seeds: 1...200, queues: .simulated) { world in
        let order = StateStore<[Int]>([])
        DispatchQueue.main.async { MainActor.assumeIsolated { order.update { $0.append(1) } } }
        let task = Task { @MainActor in order.update { $0.append(2) } }
        DispatchQueue.main.async { MainActor.assumeIsolated { order.update { $0.append(3) } } }
        await task.value
        await world.settle()
        world.expectEqual(order.value.filter { $0 != 2 }, [1, 3])
      }
    }

    @Test("a precondition on the main queue holds on the main queue, and elsewhere fails the run")
    func precondition() async throws {
      try await simulate(seeds: 1...20, queues: .simulated) { world in
        dispatchPrecondition(condition: .notOnQueue(.main))
        DispatchQueue.main.async { dispatchPrecondition(condition: .onQueue(.main)) }
        await world.settle()
      }
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1, queues: .simulated) { world in
          DispatchQueue(label: "queue").async { dispatchPrecondition(condition: .onQueue(.main)) }
          await world.settle()
        }
      }
      let call = "dispatchPrecondition(condition: .onQueue) of queue com.apple.main-thread"
      #expect(failure.reason == .trapped("queue queue", call: call))
    }

    @Test("a closure-stage screen that is bound on the main queue renders nothing after the user has left it")
    func screenOnTheMainQueue() async throws {
      try await simulate(seeds: 1...200, queues: .simulated) { world in
        let model = SearchClosureViewModel<TextHit>(service: LateSearch(world: world), callbackQueue: .main)
        let screen = await SearchScreen(model, in: world)
        model.setQuery("swift")
        model.submit()
        try await world.faults.latency(upTo: .milliseconds(400))
        await screen.leave()
        await world.settle()
      }
    }

    /// Acts like a view controller that is bound to a closure-stage view model.
    @MainActor
    private final class SearchScreen {
      private let world: SimulatedWorld
      private var binding: CancellationToken?
      private var hasLeft = false

      init(_ model: SearchClosureViewModel<TextHit>, in world: SimulatedWorld) {
        self.world = world
        binding = model.bind { [weak self] _ in MainActor.assumeIsolated { self?.render() } }
      }

      func leave() {
        binding?.cancel()
        hasLeft = true
      }

      private func render() { world.expect(!hasLeft, "rendered after it was left") }
    }

    @Test("a completion group notifies when the last entry has left")
    func group() async throws {
      try await simulate(seeds: 1...500, queues: .simulated) { world in
        let group = CompletionGroup()
        let (queue, callbacks) = (DispatchQueue(label: "work"), DispatchQueue(label: "callbacks"))
        let left = Mutex(0)
        for _ in 1...3 {
          let entry = group.enter()
          queue.asyncAfter(deadline: .now() + Double(world.choose(3))) {
            left.withLock { $0 += 1 }
            entry.leave()
          }
        }
        await withCheckedContinuation { continuation in group.notify(on: callbacks) { continuation.resume() }
        }
        world.expectEqual(left.withLock { $0 }, 3)
      }
    }

    @Test("a closure-stage search shows only the last query's result, whatever order the blocks run in")
    func closureStage() async throws {
      let summary = try await simulate(seeds: 1...2_000, queues: .simulated) { world in
        let callbacks = DispatchQueue(label: "callbacks")
        let model = SearchClosureViewModel<TextHit>(
          service: LateSearch(world: world), callbackQueue: callbacks)
        let shown = Mutex<[TextHit]>([])
        let binding = model.bind { state in
          if !state.isSearching, let hits = state.results.value { shown.withLock { $0 = hits } }
        }
        for query in ["s", "sw", "swift"] {
          model.setQuery(query)
          if world.flip() { try await world.clock.sleep(for: .milliseconds(300)) }
        }
        await world.settle()
        world.expectEqual(shown.withLock { $0 }, ["swift"])
        binding.cancel()
      }
      #expect(summary.distinctSchedules > 100)
    }

    @Test("the simulation finds a lost update if tasks read and write a value in separate queue blocks")
    func plantedRace() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(queues: .simulated) { world in
          let queue = DispatchQueue(label: "counter")
          let count = Mutex(0)
          for number in 1...2 {
            world.spawn("click \(number)") {
              let before = queue.sync { count.withLock { $0 } }
              await Task.yield()
              queue.async { count.withLock { $0 = before + 1 } }
            }
          }
          await world.settle()
          world.expectEqual(count.withLock { $0 }, 2)
        }
      }
      #expect(failure.path.turns <= 1, "\(failure)")
    }

    @Test("a run that uses a URLSession fails, because its task leaves the world, and the process continues")
    func session() async {
      await #expect(processExitsWith: .success) {
        let url = URL(string: "http://127.0.0.1:1/")!
        let failures = [
          await #expect(throws: SimulationFailure.self) {
            try await simulate(seeds: 1...1, queues: .simulated) { _ in
              _ = try await URLSession.shared.data(from: url)
            }
          },
          await #expect(throws: SimulationFailure.self) {
            try await simulate(seeds: 1...1, queues: .simulated) { world in
              let session = URLSession(configuration: .ephemeral)
              world.spawn("loading") { session.dataTask(with: url) { _, _, _ in }.resume() }
              await world.settle()
            }
          },
        ]
        #expect(
          failures.map(\.?.reason) == [
            .leftTheWorld("body", call: "URLSession"), .leftTheWorld("loading", call: "URLSession"),
          ])
        // Gives the requests that the failed runs have started time to end before the process exits.
        for _ in 1...20 { _ = try? await URLSession.shared.data(from: url) }
      }
    }

    @Test("an expectation of Swift Testing in a queue block fails the run, and the failure names its line")
    func expectation() async throws {
      let line = #line + 3
      let body: @Sendable (SimulatedWorld) async throws -> Void = { world in
        let value = world.choose(2)
        DispatchQueue(label: "checks").asyncAfter(deadline: .now() + 1) { #expect(value == 0, "value") }
        await world.settle()
      }
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(queues: .simulated, body)
      }
      guard case .expectation(let message, let place) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
      #expect(message.contains("value") && place == "\(#fileID):\(line)", "\(failure)")
    }

    @Test("if the caller of a simulation is cancelled, `Task.isCancelled` stays false in queue blocks")
    func taskOfBlock() async throws {
      let hasBegun = Atomic(false)
      let isCancelled = Atomic(false)
      let simulation = Task {
        try await simulate(seeds: 1...UInt64.max, queues: .simulated) { world in
          hasBegun.store(true, ordering: .relaxed)
          while !isCancelled.load(ordering: .relaxed) { sched_yield() }
          DispatchQueue(label: "queue").async { world.expect(!Task.isCancelled, "cancelled") }
          await world.settle()
        }
      }
      // On a separate thread: other tests can occupy the threads of tasks for longer than a simulation waits for a job.
      Thread.detachNewThread {
        while !hasBegun.load(ordering: .relaxed) { sched_yield() }
        simulation.cancel()
        isCancelled.store(true, ordering: .relaxed)
      }
      let failure = try await #require(throws: SimulationFailure.self) { try await simulation.value }
      guard case .interrupted = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
    }

    @Test("outside a simulated world, queues are real")
    func real() async {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "real").asyncAfter(deadline: .now() + 0.001) { continuation.resume() }
      }
    }

    private struct LateSearch: SearchClosureService {
      let world: SimulatedWorld

      func results(
        for query: String, page: PageRequest,
        completion: @escaping @Sendable (Result<Page<TextHit>, any Error>) -> Void
      ) -> CancellationToken {
        // The service ignores cancellation.
        let latency = [0.0, 0.2, 0.4][world.choose(3)]
        DispatchQueue.global().asyncAfter(deadline: .now() + latency) {
          completion(.success([TextHit(query)]))
        }
        return .finished
      }
    }
  }
#endif
