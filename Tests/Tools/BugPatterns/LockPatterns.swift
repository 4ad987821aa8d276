import AsyncViewModelsSimulation

#if !canImport(Darwin)
  extension BugPattern {
    static let inLocks = [
      lockOrderInversion, cacheOrder, checkedThenActed, createdTwice,
    ]

    private static let lockOrderInversion = BugPattern(
      "locks/order-inversion", "a continuation is resumed under the lock that its cancellation handler takes",
      Thread(
        "Lock-order inversion deadlock in AsyncCurrentValue when cancellation races an update",
        "https://github.com/unsignedapps/Vexil/issues/153"),
      .found(.deadlock), interruptions: .atLocks
    ) { world in
      await update(in: world) { waiter in waiter.withLock { $0.take()?.resume() } }
    } repaired: { world in
      await update(in: world) { waiter in waiter.withLock { $0.take() }?.resume() }
    }

    private typealias Waiter = Locked<CheckedContinuation<Void, Never>?>

    private static func update(
      in world: SimulatedWorld, resume: @escaping @Sendable (Waiter) -> Void
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
      await world.settle()
      let cancellation = world.spawn("cancellation") { consumer.cancel() }
      resume(waiter)
      for task in [cancellation, consumer] { await task.waitForEnd() }
    }

    private static let cacheOrder = BugPattern(
      "locks/cache-order",
      "a writer locks a repository and then its cache, and a reader locks the cache first",
      Thread(
        "Fix deadlock in GitRepository lock ordering",
        "https://github.com/swiftlang/swift-package-manager/pull/10266"),
      .found(.deadlock), interruptions: .atLocks
    ) { world in
      await readAndWrite(in: world) { repository, cache in
        cache.withLock { $0 = repository.withLock(\.self) }
      }
    } repaired: { world in
      await readAndWrite(in: world) { repository, cache in
        repository.withLock { head in cache.withLock { $0 = head } }
      }
    }

    private static func readAndWrite(
      in world: SimulatedWorld, read: @escaping @Sendable (Locked<Int>, Locked<Int>) -> Void
    ) async {
      let (repository, cache) = (Locked(1), Locked(0))
      await world.inParallel { number in
        if number == 1 {
          read(repository, cache)
        } else {
          repository.withLock { head in
            head = 2
            cache.withLock { $0 = 0 }
          }
        }
      }
    }

    private static let checkedThenActed = BugPattern(
      "locks/checked-then-acted",
      "a callback is read in one locked section and removed in another, so it runs twice",
      Thread(
        "Fix a potential duplicated completion invoking when task cancel",
        "https://github.com/onevcat/Kingfisher/pull/2319"), interruptions: .atLocks
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
      in world: SimulatedWorld, take: @escaping @Sendable (Locked<Bool>) -> Bool
    ) async {
      let (isPending, calls) = (Locked(true), Locked(0))
      await world.inParallel { _ in if take(isPending) { calls.withLock { $0 += 1 } } }
      world.expectEqual(calls.withLock(\.self), 1, "calls:")
    }

    private static let createdTwice = BugPattern(
      "locks/created-twice",
      "two first users of a lazy property both see that it is empty, and both create its value",
      Thread(
        "Make lazy properties in UserToolchain thread safe",
        "https://github.com/swiftlang/swift-package-manager/pull/9356"), interruptions: .atLocks
    ) { world in
      await create(in: world) { shared, created in
        if shared.withLock({ $0 }) == nil {
          created.withLock { $0 += 1 }
          shared.withLock { $0 = 1 }
        }
      }
    } repaired: { world in
      await create(in: world) { shared, created in
        shared.withLock { value in
          if value == nil { created.withLock { $0 += 1 } }
          value = 1
        }
      }
    }

    private static func create(
      in world: SimulatedWorld, use: @escaping @Sendable (Locked<Int?>, Locked<Int>) -> Void
    ) async {
      let shared = Locked<Int?>(nil)
      let created = Locked(0)
      await world.inParallel { _ in use(shared, created) }
      world.expectEqual(created.withLock(\.self), 1, "created:")
    }
  }
#endif
