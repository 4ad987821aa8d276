#if !canImport(Darwin)
  import AsyncViewModelsSimulation
  import Dispatch
  import SimulatedQueues

  extension BugPattern {
    static let waitingOnQueues = [syncOnEachOther, syncOnOwnQueue, signaledOnce, mainWaitsForItself]

    private static let syncOnEachOther = BugPattern(
      "waits/sync-on-each-other", "two queues call each other with sync, and each waits for the other",
      Thread("Fix observer and memory storage deadlock", "https://github.com/CoinbaseWallet/CBStore/pull/12"),
      .found(.deadlock), queues: .simulated
    ) { world in
      await notify(in: world) { queue, body in queue.sync(execute: body) }
    } repaired: { world in
      await notify(in: world) { queue, body in queue.async(execute: body) }
    }

    private static func notify(
      in world: SimulatedWorld,
      through pass:
        @escaping @Sendable (_ queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) -> Void
    ) async {
      let (store, observers) = (DispatchQueue(label: "store"), DispatchQueue(label: "observers"))
      let done = DispatchGroup()
      store.async(group: done) { pass(observers) {} }
      observers.async(group: done) { pass(store) {} }
      await withCheckedContinuation { continuation in
        done.notify(queue: .global()) { continuation.resume() }
      }
    }

    private static let syncOnOwnQueue = BugPattern(
      "waits/sync-on-own-queue",
      "a callback is delivered with sync on the queue on which the code already runs",
      Thread("Crash on socket error with serial queues", "https://github.com/samiyr/SwiftyPing/issues/29"),
      .found(.trap), queues: .simulated
    ) { world in
      let queue = DispatchQueue(label: "ping")
      queue.async { queue.sync {} }
      await world.settle()
    } repaired: { world in
      let queue = DispatchQueue(label: "ping")
      queue.async { queue.async {} }
      await world.settle()
    }

    private static let signaledOnce = BugPattern(
      "waits/signaled-once",
      "a semaphore is signaled once when a store is ready, but two callers wait for it",
      Thread(
        "fix(ios): use dispatch group to prevent core data deadlock",
        "https://github.com/measure-sh/measure/pull/4423"),
      .found(.deadlock), queues: .simulated
    ) { world in
      let ready = DispatchSemaphore(value: 0)
      await open(in: world, wait: { ready.wait() }, finish: { ready.signal() })
    } repaired: { world in
      let ready = DispatchGroup()
      ready.enter()
      await open(in: world, wait: { ready.wait() }, finish: { ready.leave() })
    }

    private static func open(
      in world: SimulatedWorld, wait: @escaping @Sendable () -> Void, finish: @escaping @Sendable () -> Void
    ) async {
      DispatchQueue(label: "store").async(execute: finish)
      let callers = DispatchGroup()
      for _ in 1...2 { DispatchQueue.global().async(group: callers, execute: wait) }
      await withCheckedContinuation { continuation in
        callers.notify(queue: .global()) { continuation.resume() }
      }
    }

    private static let mainWaitsForItself = BugPattern(
      "waits/main-waits-for-itself",
      "the main queue waits for work whose completion handler is called on the main queue",
      Thread("Prevent possible deadlock in sync operation", "https://github.com/DP-3T/dp3t-sdk-ios/pull/184"),
      .found(.deadlock), queues: .simulated
    ) { world in
      await detect(in: world, completingOn: .main)
    } repaired: { world in
      await detect(in: world, completingOn: .global())
    }

    private static func detect(in world: SimulatedWorld, completingOn completion: DispatchQueue) async {
      let work = DispatchQueue(label: "work")
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          work.sync {
            let finished = DispatchSemaphore(value: 0)
            completion.async { finished.signal() }
            finished.wait()
          }
          continuation.resume()
        }
      }
    }
  }
#endif
