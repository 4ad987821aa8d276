import AsyncViewModels
import Dispatch

extension StressProgram {
  static var stores: [StressProgram] {
    [
      StressProgram(
        name: "store-leases",
        summary: "many users share one view model per identity; deinits of models can use the store",
        run: leases),
      StressProgram(
        name: "store-end",
        summary: "leases outlive their store; each view model is released with its last lease", run: end),
      StressProgram(
        name: "store-isolation",
        summary: "stores on the main actor and on queues create their view models there",
        run: isolation),
    ]
  }

  private typealias Store = CountedStore

  private static func leases(load: Load) async throws {
    for retention in [Duration.zero, .microseconds(20), .milliseconds(1)] {
      let lifetimes = LifetimeCounter()
      let store = lifetimes.makeStore(retention: retention)
      let rounds = 8_000 / load.tasks
      try await load.inParallel { task in
        var random = SplitMix(task)
        for round in 0..<rounds {
          try await use(store, lifetimes.identity(.random(in: 0..<5, using: &random)), round)
          if round % 16 == 0 { await Task.yield() }
        }
      }
      await until { lifetimes.live.value == 0 }
      withExtendedLifetime(store) {}
    }
  }

  private static func use(_ store: Store, _ identity: CountedIdentity, _ round: Int) async throws {
    let lease = await store.lease(identity)
    if round % 4 == 0 { releaseElsewhere(await store.lease(identity)) }
    try await lease.hold { model in
      if round % 2 == 0 { await Task.yield() }
      try await checkInUse(store, model, identity)
    }
    if round % 8 == 0 { releaseElsewhere(lease) }
    if let current = store.current(identity) {
      try expect(current.model.identity == identity, "the current view model has a different identity")
    }
  }

  /// Checks that an identity has only one view model while a task holds a lease.
  private static func checkInUse(
    _ store: Store, _ model: CountedModel, _ identity: CountedIdentity
  ) async throws {
    try expect(model.identity == identity, "the view model has a different identity")
    try expect(store.current(identity)?.model === model, "the current view model is not the one in use")
    try expect(await store.lease(identity).model === model, "there are two view models of \(identity.number)")
  }

  private static func end(load: Load) async throws {
    let lifetimes = LifetimeCounter()
    try await load.inParallel { task in
      for round in 0..<1_000 {
        var store: Store? = lifetimes.makeStore(retention: round % 2 == 0 ? .zero : .seconds(60))
        let leases = await [store!.lease(lifetimes.identity(task)), store!.lease(lifetimes.identity(task))]
        // This view model is only retained: the release of the store ends its retention.
        _ = await store!.lease(lifetimes.identity(task + 1))
        weak let releasedStore = store
        if round % 3 == 0 { releaseElsewhere(store!) }
        store = nil
        await until { releasedStore == nil }
        for lease in leases { await lease.hold { _ in if round % 8 == 0 { await Task.yield() } } }
        try expect(
          leases[0].model === leases[1].model, "two leases of one identity have different view models")
        if round % 5 == 0 { leases.forEach(releaseElsewhere) }
      }
    }
    await until { lifetimes.live.value == 0 }
  }

  private static func isolation(load: Load) async throws {
    let queue = DispatchQueue(label: "views")
    let (lifetimes, rounds) = (LifetimeCounter(), 2_000 / load.tasks)
    let queued = lifetimes.makeStore(retention: .microseconds(50), isolation: QueueIsolation(queue))
    let onMain = Store(isolation: MainActor.shared) { identity in
      MainActor.assumeIsolated { CountedModel(identity, lifetimes) }
    }
    try await load.inParallel { task in
      for round in 0..<rounds {
        try await useOnMain(onMain, lifetimes.identity(round % 3))
        try await withCheckedThrowingContinuation { continuation in
          queue.async {
            continuation.resume(with: Result { try useOnQueue(queued, lifetimes.identity(task % 3)) })
          }
        }
        _ = await queued.lease(lifetimes.identity(round % 3)).hold { model in model.identity }
      }
    }
    await StoreHosted(by: onMain).checkMainActor()
    withExtendedLifetime(queued) {}
  }

  /// An actor on the executor of a store.
  private actor StoreHosted {
    private nonisolated let store: Store
    nonisolated var unownedExecutor: UnownedSerialExecutor { store.unownedExecutor }

    init(by store: Store) { self.store = store }

    func checkMainActor() { MainActor.preconditionIsolated("the store is not on its host's executor") }
  }

  @MainActor
  private static func useOnMain(_ store: Store, _ identity: CountedIdentity) async throws {
    let lease = leaseOnMain(store, identity)
    try await lease.hold { model in
      MainActor.preconditionIsolated()
      await Task.yield()
      try expect(leaseOnMain(store, identity).model === model, "two view models on the main actor")
    }
    if identity.number == 0 { releaseElsewhere(lease) }
  }

  /// Takes a lease synchronously, as a view controller does.
  @MainActor
  private static func leaseOnMain(_ store: Store, _ identity: CountedIdentity) -> ViewModelLease<CountedModel>
  {
    store.assumeIsolated { $0.lease(identity) }
  }

  private static func useOnQueue(_ store: Store, _ identity: CountedIdentity) throws {
    try store.assumeIsolated { store in
      let lease = store.lease(identity)
      try withExtendedLifetime(lease) {
        try expect(store.current(identity)?.model === lease.model, "two view models on the queue")
      }
    }
  }
}
