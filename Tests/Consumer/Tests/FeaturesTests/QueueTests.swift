#if os(Linux)
  import AsyncViewModelsSimulation
  import Dispatch
  import SimulatedQueues
  import Testing

  @Suite(.timeLimit(.minutes(5)))
  struct QueueTests {
    @Test("with `queues: .simulated`, a delayed block of a dispatch queue runs on virtual time")
    func simulated() async throws {
      try await simulate(seeds: 1...50, queues: .simulated) { world in
        await withCheckedContinuation { continuation in
          DispatchQueue(label: "queue").asyncAfter(deadline: .now() + 3_600) { continuation.resume() }
        }
        #expect(world.clock.now.offset == .seconds(3_600))
      }
    }
  }
#endif
