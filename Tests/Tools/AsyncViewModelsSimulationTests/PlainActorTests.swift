import AsyncViewModelsSimulation
import Foundation
import Synchronization
import Testing

/// Plain actors: actors with their own executors. Each hop to one is a choice of the seed.
@Suite("Simulation: plain actors", .timeLimit(.minutes(5)))
struct PlainActorTests {
  @Test("a lost update over two calls is found")
  func lostUpdate() async throws {
    let failure = await failure(Self.lostUpdate)
    #expect((failure?.seed ?? .max) <= 20)
  }

  @Test("an exhaustive simulation finds the lost update, and its path replays it")
  func exhaustiveLostUpdate() async throws {
    let body = Self.lostUpdate
    let failure = try #require(await failure(seeds: 1...1_000, strategy: .exhaustive(preemptions: 1), body))
    #expect(failure.path.description.hasPrefix("path:coarse,"))
    let path = try #require(SimulationPath(failure.path.description))
    #expect(path == failure.path)
    await #expect(throws: SimulationFailure.self) { try await simulate(replaying: path, body) }
  }

  @Test("a correct counter passes all of its interleavings")
  func exhaustive() async throws {
    let orders = Mutex<Set<[Int]>>([])
    let summary = try await simulate(seeds: 1...100_000, strategy: .exhaustive(preemptions: .max)) { world in
      let log = Log()
      let tasks = (1...2).map { number in
        world.spawn("write \(number)") {
          await log.append(number)
          await Task.yield()
          await log.append(number)
        }
      }
      for task in tasks { await task.waitForEnd() }
      let entries = await log.entries
      orders.withLock { _ = $0.insert(entries) }
    }
    #expect(summary.isExhaustive)
    #expect(orders.withLock(\.count) == 6)
  }

  @Test(
    "where the seed cannot control hops, races are still found, and a simulation does not claim to be exhaustive",
    arguments: [RuntimeHooks.linux.subtracting(.actorHops), .apple])
  func unseenHops(hooks: RuntimeHooks) async throws {
    var plan = SimulationPlan(seeds: 1...10_000, body: Self.lostUpdate)
    plan.hooks = hooks
    #expect((await failure(of: plan)?.seed ?? .max) <= 100)
    plan.strategy = .exhaustive(preemptions: .max)
    plan.body = { world in
      let log = Log()
      let tasks = (1...2).map { number in world.spawn("write \(number)") { await log.append(number) } }
      for task in tasks { await task.waitForEnd() }
    }
    let summary = Mutex(SimulationSummary())
    #expect(await failure(of: plan, summary) == nil)
    #expect(summary.withLock { $0.runs > 1 && !$0.isExhaustive })
  }

  @Test("code without an actor can be interrupted after a call")
  func interruptedAfterACall() async throws {
    @Sendable @concurrent func read(_ value: borrowing Mutex<Int>) async -> Int { value.withLock(\.self) }
    let body: @Sendable (SimulatedWorld) async throws -> Void = { world in
      let value = Mutex(0)
      let tasks = (1...2).map { number in
        world.spawn("click \(number)") {
          let read = await read(value)
          value.withLock { $0 = read + 1 }
        }
      }
      for task in tasks { await task.waitForEnd() }
      world.expectEqual(value.withLock(\.self), 2)
    }
    #expect((await failure(body)?.seed ?? .max) <= 20)
  }

  @Test("a cache that loads twice because its actor is reentrant is found")
  func reentrant() async throws {
    let failure = await failure { world in
      let source = PlainCounter()
      let cache = Cache(source: source)
      let tasks = (1...2).map { number in world.spawn("read \(number)") { _ = await cache.value() } }
      for task in tasks { await task.waitForEnd() }
      world.expectEqual(await source.value, 1, "loads:")
    }
    #expect((failure?.seed ?? .max) <= 20)
  }

  @Test("a hop from code without an actor can arrive after the hop of a task that is started later")
  func lateHop() async throws {
    let body: @Sendable (SimulatedWorld) async throws -> Void = { world in
      let counter = PlainCounter()
      let first = world.spawn("sets 1") { await counter.set(1) }
      await counter.set(2)
      await first.waitForEnd()
      world.expectEqual(await counter.value, 1)
    }
    #expect((await failure(body)?.seed ?? .max) <= 20)
  }

  @Test("the beginning of a Task.immediate is part of the step that starts it")
  func immediate() async throws {
    @Sendable @concurrent func call() async {}
    try await simulate(seeds: 1...500) { world in
      world.spawn("other") { await Task.yield() }
      let hasEnded = Atomic(false)
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
      let task = Task.immediate {
        await call()
        hasEnded.store(true, ordering: .relaxed)
      }
      world.expect(hasEnded.load(ordering: .relaxed), "another task has run")
      await task.value
    }
  }

  @Test("code that returns from a plain actor can be overtaken by another task")
  func overtakenReturn() async throws {
    let body: @Sendable (SimulatedWorld) async throws -> Void = { world in
      let counter = PlainCounter()
      let log = Mutex<[Int]>([])
      let tasks = (1...2).map { number in
        world.spawn("click \(number)") {
          let value = await counter.next()
          log.withLock { $0.append(value) }
        }
      }
      for task in tasks { await task.waitForEnd() }
      world.expectEqual(log.withLock(\.self), [1, 2])
    }
    #expect((await failure(body)?.seed ?? .max) <= 50)
  }

  @Test("a hop to an actor on which the runtime has enqueued a job stays in the world")
  func hopToAScheduledActor() async throws {
    try await simulate(seeds: 1...2_000) { world in
      let door = Door()
      let waiters = (1...2).map { number in world.spawn("waiter \(number)") { await door.wait() } }
      let openers = (1...2).map { number in world.spawn("opener \(number)") { await door.open() } }
      for task in waiters + openers { await task.waitForEnd() }
    }
  }

  @Test("hops from an actor arrive in their order")
  func orderedHops() async throws {
    try await simulate(seeds: 1...2_000) { world in
      let log = Log()
      let tasks = await Relay(log).append([1, 2, 3])
      for task in tasks { await task.value }
      world.expectEqual(await log.entries, [1, 2, 3])
    }
  }

  @Test("tasks that an actor starts in order run in order")
  func order() async throws {
    try await simulate(seeds: 1...2_000) { world in
      let log = Log()
      await log.start(5)
      world.expectEqual(await log.entries, [1, 2, 3, 4, 5])
    }
  }

  @Test("assumeIsolated and preconditions of a plain actor hold in its jobs")
  func isolation() async throws {
    try await simulate(seeds: 1...200) { world in
      let log = Log()
      let tasks = (1...2).map { number in
        world.spawn("check \(number)") { await log.check() }
      }
      for task in tasks { await task.waitForEnd() }
    }
  }

  private static let lostUpdate: @Sendable (SimulatedWorld) async throws -> Void = { world in
    let counter = PlainCounter()
    let tasks = (1...2).map { number in
      world.spawn("click \(number)") {
        let value = await counter.value
        await counter.set(value + 1)
      }
    }
    for task in tasks { await task.waitForEnd() }
    world.expectEqual(await counter.value, 2)
  }

  /// Runs a plan on a thread that no other simulation uses.
  private func failure(
    of plan: SimulationPlan, _ summary: borrowing Mutex<SimulationSummary> = Mutex(SimulationSummary())
  ) async -> SimulationFailure? {
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: Result { () throws(SimulationFailure) in try plan.run() })
      }
    }
    switch result {
    case .success(let value):
      summary.withLock { $0 = value }
      return nil
    case .failure(let failure): return failure
    }
  }

  private func failure(
    seeds: ClosedRange<UInt64> = 1...20_000, strategy: SimulationStrategy = .mixed,
    _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
  ) async -> SimulationFailure? {
    do throws(SimulationFailure) {
      try await simulate(seeds: seeds, strategy: strategy, body)
      return nil
    } catch { return error }
  }
}

private actor PlainCounter {
  private(set) var value = 0

  func set(_ value: Int) { self.value = value }
  func increment() { value += 1 }

  func next() -> Int {
    value += 1
    return value
  }
}

private actor Cache {
  private let source: PlainCounter
  private var loaded: Int?

  init(source: PlainCounter) { self.source = source }

  func value() async -> Int {
    if let loaded { return loaded }
    await source.increment()
    let value = await source.value
    loaded = value
    return value
  }
}

private actor Log {
  private(set) var entries: [Int] = []

  func append(_ entry: Int) { entries.append(entry) }

  func start(_ count: Int) async {
    let tasks = (1...count).map { number in Task { entries.append(number) } }
    for task in tasks { await task.value }
  }

  func check() async {
    preconditionIsolated()
    await Task.yield()
    assertIsolated()
    await withCheckedContinuation { continuation in
      Task { continuation.resume() }
    }
    preconditionIsolated()
  }
}

/// Passes each entry on in a task that starts on this actor.
private actor Relay {
  private let log: Log

  init(_ log: Log) { self.log = log }

  func append(_ entries: [Int]) -> [Task<Void, Never>] {
    entries.map { entry in
      Task {
        preconditionIsolated()
        await log.append(entry)
      }
    }
  }
}

private actor Door {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false

  func wait() async { if !isOpen { await withCheckedContinuation { waiting.append($0) } } }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
