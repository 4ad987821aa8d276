import AsyncViewModelsSimulation

#if !canImport(Darwin)
  import Dispatch
  import SimulatedQueues

  extension BugPattern {
    static let withTraps = [resumedAfterCancel, handlerOnAnotherQueue, finishedUnderLock]

    private static let resumedAfterCancel = BugPattern(
      "traps/resumed-after-cancel", "a response and a cancellation both resume a continuation, which traps",
      Thread(
        "Fix continuation double-resume crash in sendWantConfig/sendWantDatabase",
        "https://github.com/meshtastic/Meshtastic-Apple/pull/1755"),
      .found(.trap), queues: .simulated
    ) { world in
      await respondAndCancel(in: world) { pending, resume in
        guard let continuation = await pending.continuation else { return }
        resume(continuation)
        await pending.clear()
      }
    } repaired: { world in
      await respondAndCancel(in: world) { pending, resume in
        if let continuation = await pending.take() { resume(continuation) }
      }
    }

    private typealias Continuation = CheckedContinuation<Void, any Error>

    private actor Pending {
      private(set) var continuation: Continuation?

      func wait() async throws { try await withCheckedThrowingContinuation { continuation = $0 } }

      func take() -> Continuation? { continuation.take() }

      func clear() { continuation = nil }
    }

    private static func respondAndCancel(
      in world: SimulatedWorld,
      answer: @escaping @Sendable (Pending, (Continuation) -> Void) async -> Void
    ) async {
      let pending = Pending()
      let request = world.spawn("request") { try await pending.wait() }
      await world.settle()
      world.spawn("response") { await answer(pending) { $0.resume() } }
      world.spawn("cancellation") { await answer(pending) { $0.resume(throwing: CancellationError()) } }
      await request.waitForEnd()
    }

    private static let handlerOnAnotherQueue = BugPattern(
      "traps/handler-on-another-queue",
      "a handler is written for the main actor, and the system calls it on a queue in the background",
      Thread(
        "Fix memory-pressure handler crash from implicit MainActor isolation",
        "https://github.com/n0an/VivaDicta/pull/361"),
      .found(.trap), queues: .simulated
    ) { world in
      await warn(on: .global(qos: .utility), in: world)
    } repaired: { world in
      await warn(on: .main, in: world)
    }

    private static func warn(on queue: DispatchQueue, in world: SimulatedWorld) async {
      let warnings = Warnings()
      queue.async { MainActor.assumeIsolated { warnings.count += 1 } }
      await world.settle()
      world.expectEqual(await warnings.count, 1)
    }

    @MainActor private final class Warnings {
      nonisolated init() {}

      var count = 0
    }

    private static let finishedUnderLock = BugPattern(
      "traps/finished-under-lock", "a stream is finished under the lock that its termination handler takes",
      Thread("Finish continuations outside lock", "https://github.com/thoven87/strand/pull/28"),
      .found(.deadlock), interruptions: .atLocks
    ) { world in
      await stop(in: world) { subscribers in
        subscribers.withLock { subscribers in
          for subscriber in subscribers.values { subscriber.finish() }
          subscribers = [:]
        }
      }
    } repaired: { world in
      await stop(in: world) { subscribers in
        let ended = subscribers.withLock { subscribers in
          defer { subscribers = [:] }
          return subscribers
        }
        for subscriber in ended.values { subscriber.finish() }
      }
    }

    private typealias Subscribers = Locked<[Int: AsyncStream<Int>.Continuation]>

    private static func stop(
      in world: SimulatedWorld, finish: @escaping @Sendable (Subscribers) -> Void
    ) async {
      let subscribers = Subscribers([:])
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      continuation.onTermination = { _ in subscribers.withLock { $0[1] = nil } }
      subscribers.withLock { $0[1] = continuation }
      let reader = world.spawn("reader") { for await _ in stream {} }
      let stop = world.spawn("stop") { finish(subscribers) }
      for task in [stop, reader] { await task.waitForEnd() }
    }
  }
#endif
