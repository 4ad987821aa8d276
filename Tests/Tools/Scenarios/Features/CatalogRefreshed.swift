import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import ListSnapshots
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let catalogRefreshed = inEachStage(
    "catalog/refreshed",
    """
    a catalog that is refreshed while it loads shows each item once and keeps the old items until the new \
    ones are complete; each difference turns the previous snapshot into the next one
    """, tasks: 4
  ) { world, stage, tracker in
    let model = stage.makeCatalog(
      service: ShakyRows(world: world, count: 3, fails: false), pageSize: 2,
      section: { $0.id.rawValue % 2 },
      isolation: world.isolation)
    tracker.track(model.subject)
    let shown = EventLog<CatalogState<Int, CatalogProduct>.Snapshot>()
    let states = model.states()
    // Applying differences takes longer than the rest of a run, so only some runs apply them.
    let appliesDifferences = world.choose(4) == 3
    let screen = world.spawn("screen") {
      var last: CatalogState<Int, CatalogProduct>?
      for await state in states {
        let before = last?.snapshot ?? .init()
        world.expect(state.snapshot.itemCount >= before.itemCount, "fewer items than before")
        if appliesDifferences, let last {
          let snapshot = try before.applying(state.difference(from: last))
          world.expectEqual(snapshot, state.snapshot, "the differences lead to:")
        }
        shown.append(state.snapshot)
        last = state
      }
    }
    world.spawn("opens") { await model.load() }
    world.spawn("pulls", canBeLeftOut: true) {
      await Task.yield()
      await model.refresh()
    }
    let isCancelled = world.flip()
    if isCancelled {
      world.spawn("leaves", canBeLeftOut: true) {
        try await world.faults.latency()
        await model.cancel()
      }
    }
    await world.settle()
    await model.settle()
    world.expect(!model.state.isRefreshing, "still refreshing")
    world.expect(model.state.failure == nil, "\(String(describing: model.state.failure))")
    world.expectEqual(shown.values.last, model.state.snapshot, "shown at rest:")
    if !isCancelled { world.expect(model.state.isComplete, "it is not complete") }

    if world.flip() {
      await model.refresh()
      try await world.faults.latency()
      await model.cancel()
      let cancelled = model.state.snapshot
      world.expect(!model.state.isRefreshing, "refreshing after a cancel")
      await world.expectQuiet(model.states())
      world.expectEqual(model.state.snapshot, cancelled, "after a cancel:")
    }
    let refreshesAgain = world.flip()
    if refreshesAgain { await model.refresh() }
    if refreshesAgain, world.flip() {
      await world.settle()
      world.expectEqual(model.state.snapshot.itemCount, 3, "items:")
    }
    if stage == .closure { screen.cancel() }
  }
}
