import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let observeOnOwner = Scenario(
    "observation/observe-on-owner",
    """
    `observe` never begins its body after the owner has cancelled the token, does not keep the owner \
    alive, and leaves no observer behind
    """,
    tasks: 3
  ) { world in
    actor Owner {
      nonisolated let isolation: any Actor
      nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe isolation.unownedExecutor }
      private var token: CancellationToken?
      private var isCancelled = false
      private(set) var lateBodies = 0
      private(set) var seen: [Int] = []

      init(_ isolation: any Actor) { self.isolation = isolation }

      func begin(_ states: ObserverSequence<Int>) {
        token = states.observe(on: self) { owner, value in
          if owner.isCancelled { owner.lateBodies += 1 }
          owner.seen.append(value)
        }
      }

      func cancel() {
        token?.cancel()
        isCancelled = true
      }
    }
    let state = StateStore(0)
    weak let gone: Owner?
    do {
      let owner = Owner(world.isolation)
      gone = owner
      await owner.begin(state.values())
      world.spawn("sender") {
        for value in 1...3 {
          state.send(value)
          await Task.yield()
        }
      }
      for _ in 0..<world.choose(4) { await Task.yield() }
      await owner.cancel()
      await world.settle()
      world.expectEqual(await owner.lateBodies, 0, "bodies begun after the cancel:")
      let seen = await owner.seen
      world.expectEqual(seen, seen.sorted())
    }
    await world.settle()
    world.expect(gone == nil, "the owner is kept alive")
    world.expectEqual(state.observerCount, 0, "observers left:")
  }
}
