#if !canImport(Darwin)
  import AsyncViewModelsSimulation
  import Dispatch
  import SimulatedQueues

  // Programs in which code holds one thing and waits for another. Each wait ends at once, unless other code runs just before it.

  extension BugPattern {
    static let holdingAndWaiting = [oppositeOrder, permitAndSync, readWithinRead, poolStarves]

    private static func inParallel(_ bodies: [@Sendable () -> Void]) async {
      let done = DispatchGroup()
      for body in bodies { DispatchQueue.global().async(group: done, execute: body) }
      await withCheckedContinuation { continuation in
        done.notify(queue: .global()) { continuation.resume() }
      }
    }

    private static let oppositeOrder = BugPattern(
      "waits/opposite-order", "two threads take two idle queues with sync, in opposite order",
      Thread("fix deadlock in readwrite lock", "https://github.com/mixpanel/mixpanel-swift/pull/307"),
      .found(.deadlock), queues: .simulated
    ) { _ in
      await takeBoth { properties, events in events.sync { properties.sync {} } }
    } repaired: { _ in
      await takeBoth { properties, events in properties.sync { events.sync {} } }
    }

    private static func takeBoth(
      _ body: @escaping @Sendable (_ properties: DispatchQueue, _ events: DispatchQueue) -> Void
    ) async {
      let (properties, events) = (DispatchQueue(label: "properties"), DispatchQueue(label: "events"))
      await inParallel([{ properties.sync { events.sync {} } }, { body(properties, events) }])
    }

    private static let permitAndSync = BugPattern(
      "waits/permit-and-sync",
      "an observer holds the only reader and waits for the writer, whose queue waits for a reader",
      Thread("Fix ValueObservation deadlock", "https://github.com/groue/GRDB.swift/pull/1364"),
      .found(.deadlock), queues: .simulated
    ) { _ in
      await readAndWrite { readers, writer in
        readers.wait()
        writer.sync {}
        readers.signal()
      }
    } repaired: { _ in
      await readAndWrite { readers, writer in
        writer.sync {}
        readers.wait()
        readers.signal()
      }
    }

    private static func readAndWrite(
      observe: @escaping @Sendable (_ readers: DispatchSemaphore, _ writer: DispatchQueue) -> Void
    ) async {
      let (readers, writer) = (DispatchSemaphore(value: 1), DispatchQueue(label: "writer"))
      let write: @Sendable () -> Void = {
        writer.sync {
          readers.wait()
          readers.signal()
        }
      }
      await inParallel([{ observe(readers, writer) }, write])
    }

    private static let readWithinRead = BugPattern(
      "waits/read-within-read",
      "a read within a read waits for a barrier, which waits for the outer read",
      Thread("Deadlocks using ReadWriteLock", "https://github.com/spring-media/PiedPiper/issues/18"),
      .found(.deadlock), queues: .simulated
    ) { _ in
      let queue = DispatchQueue(label: "values", attributes: .concurrent)
      await inParallel([{ queue.sync { queue.sync {} } }, { queue.async(flags: .barrier) {} }])
    } repaired: { _ in
      let queue = DispatchQueue(label: "values", attributes: .concurrent)
      await inParallel([{ queue.sync {} }, { queue.async(flags: .barrier) {} }])
    }

    private static let poolStarves = BugPattern(
      "waits/pool-starves",
      "synchronous code waits for a task, on all threads of the pool that the task needs",
      Thread("Cooperative Thread - MRE Crasher", "https://github.com/okta/okta-mobile-swift/pull/272"),
      .found(.deadlock), queues: .simulated
    ) { world in
      await request(in: world) { credentials in waitForToken(of: credentials) }
    } repaired: { world in
      await request(in: world) { credentials in await credentials.refresh() }
    }

    private actor Credentials {
      private(set) var refreshes = 0
      func refresh() { refreshes += 1 }
    }

    private static func waitForToken(of credentials: Credentials) {
      let hasRefreshed = DispatchSemaphore(value: 0)
      Task {
        await credentials.refresh()
        hasRefreshed.signal()
      }
      hasRefreshed.wait()
    }

    private static func request(
      in world: SimulatedWorld, token: @escaping @Sendable (Credentials) async -> Void
    ) async {
      let credentials = Credentials()
      let requests = (1...4).map { number in world.spawn("request \(number)") { await token(credentials) } }
      for request in requests { await request.waitForEnd() }
      world.expectEqual(await credentials.refreshes, 4, "refreshes:")
    }
  }
#endif
