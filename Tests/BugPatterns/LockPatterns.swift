import AsyncViewModelsSimulation
import Synchronization

extension BugPattern {
  static let inLocks = [lockOrderInversion, checkedThenActed, createdTwice]

  private static let noPreemption = Expectation.notFound(
    because: "code between two suspensions is one step, so nothing runs between the two locked sections")

  private static let lockOrderInversion = BugPattern(
    "locks/order-inversion", "a continuation is resumed under the lock that its cancellation handler takes",
    Thread(
      "Lock-order inversion deadlock in AsyncCurrentValue when cancellation races an update",
      "https://github.com/unsignedapps/Vexil/issues/153"),
    .notFound(
      because: "one thread runs the world, so no two threads hold the lock and the status lock of a task")
  ) { world in
    await update(in: world) { waiter in waiter.withLock { $0.take()?.resume() } }
  } repaired: { world in
    await update(in: world) { waiter in waiter.withLock { $0.take() }?.resume() }
  }

  private typealias Waiter = Mutex<CheckedContinuation<Void, Never>?>

  private static func update(
    in world: SimulatedWorld, resume: @escaping @Sendable (borrowing Waiter) -> Void
  ) async {
    let waiter = Waiter(nil)
    let consumer = world.spawn("consumer") {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          waiter.withLock { $0 = continuation }
          if Task.isCancelled { waiter.withLock { $0.take() }?.resume() }
        }
      } onCancel: {
        waiter.withLock { $0.take() }?.resume()
      }
    }
    let cancellation = world.faults.cancellation(of: consumer)
    await world.settle()
    resume(waiter)
    for task in [cancellation, consumer] { await task.finish() }
  }

  private static let checkedThenActed = BugPattern(
    "locks/checked-then-acted",
    "a callback is read in one locked section and removed in another, so it runs twice",
    Thread(
      "Fix a potential duplicated completion invoking when task cancel",
      "https://github.com/onevcat/Kingfisher/pull/2319"), noPreemption
  ) { world in
    await complete(in: world) { isPending in
      let mayCall = isPending.withLock(\.self)
      isPending.withLock { $0 = false }
      return mayCall
    }
  } repaired: { world in
    await complete(in: world) { isPending in
      isPending.withLock { isPending in
        defer { isPending = false }
        return isPending
      }
    }
  }

  private static func complete(
    in world: SimulatedWorld, take: @escaping @Sendable (borrowing Mutex<Bool>) -> Bool
  ) async {
    let (isPending, calls) = (Flag(), Flag.Count())
    await world.inParallel { _ in if take(isPending.value) { calls.add() } }
    world.expectEqual(calls.value, 1, "calls:")
  }

  private static let createdTwice = BugPattern(
    "locks/created-twice",
    "two first users of a lazy property both see that it is empty, and both create its value",
    Thread(
      "Make lazy properties in UserToolchain thread safe",
      "https://github.com/swiftlang/swift-package-manager/pull/9356"), noPreemption
  ) { world in
    await create(in: world) { shared, created in
      if shared.withLock({ $0 }) == nil {
        created.add()
        shared.withLock { $0 = 1 }
      }
    }
  } repaired: { world in
    await create(in: world) { shared, created in
      shared.withLock { value in
        if value == nil { created.add() }
        value = 1
      }
    }
  }

  private static func create(
    in world: SimulatedWorld, use: @escaping @Sendable (borrowing Mutex<Int?>, Flag.Count) -> Void
  ) async {
    let shared = Mutex<Int?>(nil)
    let created = Flag.Count()
    await world.inParallel { _ in use(shared, created) }
    world.expectEqual(created.value, 1, "created:")
  }

  private final class Flag: Sendable {
    let value = Mutex(true)

    final class Count: Sendable {
      private let count = Mutex(0)

      var value: Int { count.withLock(\.self) }

      func add() { count.withLock { $0 += 1 } }
    }
  }
}
