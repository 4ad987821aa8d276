import AsyncViewModels
import AsyncViewModelsSimulation
import Foundation
import Synchronization
import Testing

/// On Apple platforms, the tasks of a world prefer an executor of the world. These tests turn the preference on
/// everywhere.
@Suite("Simulation: the preferred executor", .timeLimit(.minutes(5)))
struct TaskExecutorTests {
  private func run(
    _ strategy: SimulationStrategy, prefersTaskExecutor: Bool,
    _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
  ) async -> Result<SimulationSummary, SimulationFailure> {
    var plan = SimulationPlan(seeds: 1...2_000, strategy: strategy, body: body)
    if prefersTaskExecutor { plan.hooks.insert(.taskExecutor) } else { plan.hooks.remove(.taskExecutor) }
    let simulation = plan
    return await withCheckedContinuation { continuation in
      let thread = Thread {
        continuation.resume(returning: Result { () throws(SimulationFailure) in try simulation.run() })
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  private actor Account {
    nonisolated let isolation: any Actor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe isolation.unownedExecutor }
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var isOpen = false

    init(isolation: any Actor) { self.isolation = isolation }

    /// Checks and then suspends. If `open()` ran in between, this task would stay suspended forever.
    func whenOpen() async {
      guard !isOpen else { return }
      await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
      isOpen = true
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private static let body: @Sendable (SimulatedWorld) async throws -> Void = { world in
    let account = Account(isolation: world.isolation)
    let waiting = world.spawn("waiting") {
      await Task.yield()
      await account.whenOpen()
    }
    let opening = world.spawn("opening") {
      async let child: Void = Task.yield()
      await Task { await Task.yield() }.value
      await child
      await account.open()
    }
    await waiting.waitForEnd()
    await opening.waitForEnd()
    world.expectEqual(await account.isOpen, true)
  }

  @Test(
    "the preference changes no schedule, and no job runs between the check and the suspension of an actor",
    arguments: [.mixed, .exhaustive(preemptions: 2)] as [SimulationStrategy])
  func schedules(strategy: SimulationStrategy) async throws {
    let preferring = try await run(strategy, prefersTaskExecutor: true, Self.body).get()
    #expect(preferring == (try await run(strategy, prefersTaskExecutor: false, Self.body).get()))
    #expect(preferring.distinctSchedules > 10)
  }

  @Test("with and without the preference, the simulation finds the same race")
  func race() async throws {
    let body: @Sendable (SimulatedWorld) async throws -> Void = { world in
      let count = Mutex(0)
      for number in 1...2 {
        world.spawn("counter \(number)") {
          let before = count.withLock { $0 }
          await Task.yield()
          count.withLock { $0 = before + 1 }
        }
      }
      await world.settle()
      world.expectEqual(count.withLock { $0 }, 2)
    }
    var failures: [SimulationFailure] = []
    for prefersTaskExecutor in [true, false] {
      if case .failure(let failure) = await run(.mixed, prefersTaskExecutor: prefersTaskExecutor, body) {
        failures.append(failure)
      }
    }
    #expect(failures.count == 2 && failures.first?.description == failures.last?.description, "\(failures)")
  }
}
