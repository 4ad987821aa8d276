import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import Synchronization

extension Scenario {
  static let failingConnection = Scenario(
    "bridges/failing-connection",
    """
    a connection with callbacks fails, ends or forgets its callbacks while a reader follows it: the reader \
    gets all values in order and then the first error or end, and the callbacks are unregistered once
    """, tasks: 2
  ) { world in
    let connection = Connection()
    let ending = world.choose(3)
    let seen = EventLog<Int>()
    let isCancelled = world.flip()
    do {
      let messages = AsyncThrowingStream(buffering: .unbounded) { connection.open($0, $1) }
      let reader = world.spawn("reader") {
        do {
          for try await message in messages { seen.append(message) }
          world.expect(ending > 0 || Task.isCancelled, "the error is lost")
        } catch {
          world.expect(ending == 0 && error as? ServiceError == .timedOut, "\(error)")
        }
      }
      world.spawn("connection") {
        for message in 1...3 {
          connection.receive(message)
          await Task.yield()
        }
        if ending == 0 { connection.complete(.failure(ServiceError.timedOut)) }
        if ending < 2 { connection.complete(.success(())) }
        connection.forget()
      }
      if isCancelled { world.faults.cancellation(of: reader) }
      await reader.waitForEnd()
    }
    await world.settle()
    world.expectEqual(seen.values, Array((1...3).prefix(seen.values.count)), "seen:")
    if !isCancelled { world.expectEqual(seen.values.count, 3, "seen in all:") }
    world.expectEqual(connection.cancelled.values.count, 1, "unregistered:")
  }

  private final class Connection: Sendable {
    private typealias Callbacks = (@Sendable (Int) -> Void, @Sendable (Result<Void, any Error>) -> Void)

    private let callbacks = Mutex<Callbacks?>(nil)
    let cancelled = EventLog<Void>()

    func open(
      _ receive: @escaping @Sendable (Int) -> Void,
      _ complete: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) -> CancellationToken {
      callbacks.withLock { $0 = (receive, complete) }
      return CancellationToken { [cancelled] in cancelled.append(()) }
    }

    func receive(_ message: Int) { callbacks.withLock { $0 }?.0(message) }

    func complete(_ result: Result<Void, any Error>) { callbacks.withLock { $0 }?.1(result) }

    func forget() { callbacks.take() }
  }
}
