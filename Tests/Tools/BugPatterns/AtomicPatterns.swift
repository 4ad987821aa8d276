import AsyncViewModelsSimulation
import Synchronization

#if !canImport(Darwin)
  extension BugPattern {
    static let onAtomics = [readTwice, storedAfterLoad]

    /// `Mutex` and `Atomic` are seen only in code that is compiled for it.
    private static let expectation =
      Interruptions.seesAtomics
      ? Expectation.found(.expectation)
      : .notFound(because: "found in code that is compiled with `-Xfrontend -sanitize=thread`")

    private static let readTwice = BugPattern(
      "atomics/read-twice", "a host's errors are read in two locked sections, between which they are reset",
      Thread(
        "Adopt Mutex where a lock guards a single value",
        "https://github.com/swiftlang/swift-package-manager/pull/10399"), expectation,
      interruptions: .atLocks
    ) { world in
      await read(in: world) { errors in (errors.withLock(\.count), errors.withLock(\.last)) }
    } repaired: { world in
      await read(in: world) { errors in errors.withLock { ($0.count, $0.last) } }
    }

    private static func read(
      in world: SimulatedWorld, _ read: @escaping @Sendable (borrowing Mutex<[Int]>) -> (Int, Int?)
    ) async {
      let errors = Mutex([500, 503])
      await world.inParallel { number in
        guard number == 1 else { return errors.withLock { $0 = [] } }
        let (count, last) = read(errors)
        world.expectEqual(count > 0, last != nil, "there are errors:")
      }
    }

    private static let storedAfterLoad = BugPattern(
      "atomics/stored-after-load",
      "an atomic value is read and written in two operations, so an update is lost",
      Thread(
        "`Atomic`: avoid race conditions modifying dictionaries",
        "https://github.com/RevenueCat/purchases-ios/pull/2981"), expectation, interruptions: .atLocks
    ) { world in
      await add(in: world) { $0.store($0.load(ordering: .acquiring) + 1, ordering: .releasing) }
    } repaired: { world in
      await add(in: world) { $0.add(1, ordering: .acquiringAndReleasing) }
    }

    private static func add(
      in world: SimulatedWorld, _ add: @escaping @Sendable (borrowing Atomic<Int>) -> Void
    ) async {
      let count = Atomic(0)
      await world.inParallel { _ in add(count) }
      world.expectEqual(count.load(ordering: .acquiring), 2, "the count:")
    }
  }
#endif
