import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain

extension Scenario {
  static let brokenConnection = Scenario(
    "observation/broken-connection",
    """
    an owner follows a connection that can break: the owner gets the messages in order, then the end or the \
    error, and nothing after the owner cancels
    """, tasks: 4
  ) { world in
    actor Owner {
      nonisolated let isolation: any Actor
      nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe isolation.unownedExecutor }
      private let world: SimulatedWorld
      private var token: CancellationToken?
      private var isCancelled = false
      private(set) var seen: [Int] = []
      private(set) var endings: [Bool] = []

      init(_ world: SimulatedWorld) {
        isolation = world.isolation
        self.world = world
      }

      func follow(_ messages: AsyncThrowingStream<Int, any Error>) {
        token = messages.observe(on: self) { owner, message in
          owner.world.expect(!owner.isCancelled && owner.endings.isEmpty, "\(message) came too late")
          owner.seen.append(message)
        } completion: { owner, result in
          owner.world.expect(!owner.isCancelled, "a completion after the cancel")
          owner.endings.append((try? result.get()) != nil)
        }
      }

      func cancel() {
        token?.cancel()
        isCancelled = true
      }
    }
    let server = Server(world: world)
    let isCancelled = world.flip()
    weak let gone: Owner?
    do {
      let owner = Owner(world)
      gone = owner
      await owner.follow(server.connect())
      if isCancelled {
        try await world.clock.sleep(for: .milliseconds(world.choose(3) * 500))
        await owner.cancel()
      }
      await world.settle()
      let (seen, endings) = (await owner.seen, await owner.endings)
      world.expect(endings.count <= 1 && (isCancelled || endings.count == 1), "\(endings.count) completions")
      world.expectEqual(seen, Array((0..<server.sent.begun).prefix(seen.count)), "seen:")
      if let ending = endings.first {
        world.expectEqual(seen.count, server.sent.begun, "messages:")
        world.expectEqual(server.failures.begun == 0, ending, "the end, not an error:")
      }
    }
    await world.settle()
    world.expect(gone == nil, "the owner is kept alive")
    world.expectEqual(world.clock.sleeperCount, 0, "sleepers left:")
  }

  /// A server whose connection ends or breaks when the seed says so. It numbers its messages.
  private struct Server: Sendable {
    let world: SimulatedWorld
    let sent = EventLog<Void>()
    let failures = EventLog<Void>()

    init(world: SimulatedWorld) { self.world = world }

    func connect() -> AsyncThrowingStream<Int, any Error> {
      let limit = world.choose(4)
      return AsyncThrowingStream {
        if world.flip() { await Task.yield() }
        if world.flip() { try await world.clock.sleep(for: .milliseconds(500)) }
        if sent.begun < limit { return sent.begin() - 1 }
        guard world.flip() else { return nil }
        failures.begin()
        throw ServiceError.timedOut
      }
    }
  }
}
