import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain

extension Scenario {
  static let brokenConnection = Scenario(
    "observation/broken-connection",
    """
    an owner follows a connection that breaks: the owner gets the messages in order, then the end or the \
    error after the last retry, and nothing after the owner cancels
    """, tasks: 4
  ) { world in
    actor Owner {
      nonisolated let host: ActorHost
      nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }
      private let world: SimulatedWorld
      private var token: CancellationToken?
      private var isCancelled = false
      private(set) var seen: [Int] = []
      private(set) var endings: [Bool] = []

      init(_ world: SimulatedWorld) {
        host = ActorHost(world.isolation)
        self.world = world
      }

      func follow(_ messages: RetryingSequence<AsyncThrowingStream<Int, any Error>>) {
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
      let policy = RetryPolicy.exponential(
        from: .seconds(1), upTo: .seconds(3), limit: 2, stableTime: Server.stableTime)
      await owner.follow(RetryingSequence(policy, clock: world.clock) { try await server.connect() })
      if isCancelled {
        try await world.clock.sleep(for: .milliseconds(world.choose(8) * 500))
        await owner.cancel()
      }
      await world.settle()
      let (seen, endings, failures) = (await owner.seen, await owner.endings, server.failures.values)
      world.expect(endings.count <= 1 && (isCancelled || endings.count == 1), "\(endings.count) completions")
      world.expectEqual(seen, Array((0..<server.sent.begun).prefix(seen.count)), "seen:")
      if let ending = endings.first {
        world.expectEqual(seen.count, server.sent.begun, "messages:")
        world.expectEqual(failures.last == 3, !ending, "the third failure in a row is passed on:")
      }
      world.expect(failures.allSatisfy { $0 <= 3 }, "failures in a row: \(failures)")
    }
    await world.settle()
    world.expect(gone == nil, "the owner is kept alive")
    world.expectEqual(world.clock.sleeperCount, 0, "sleepers left:")
  }

  /// A server whose connections break when the seed says so. It numbers its messages.
  private struct Server: Sendable {
    static let stableTime = Duration.milliseconds(500)

    let world: SimulatedWorld
    let sent = EventLog<Void>()
    /// For each failure, the number of failures since the last stable connection with a message, including this failure.
    let failures = EventLog<Int>()

    init(world: SimulatedWorld) { self.world = world }

    func connect() async throws -> AsyncThrowingStream<Int, any Error> {
      let before = sent.begun
      let limit = before + world.choose(3)
      let isStable = world.flip()
      if world.flip() { throw fail(since: before, isStable: false) }
      return AsyncThrowingStream {
        if world.flip() { await Task.yield() }
        if sent.begun < min(limit, 6) { return sent.begin() - 1 }
        if world.choose(4) == 3 { return nil }
        if isStable { try await world.clock.sleep(for: Self.stableTime) }
        throw fail(since: before, isStable: isStable)
      }
    }

    /// Counts a failure, and returns its error.
    ///
    /// - Parameters:
    ///   - before: The number of messages sent before the failed connection was opened.
    ///   - isStable: Whether the connection lasted for the stable time.
    private func fail(since before: Int, isStable: Bool) -> any Error {
      failures.append(isStable && sent.begun > before ? 1 : (failures.values.last ?? 0) + 1)
      return ServiceError.timedOut
    }
  }
}
