import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let listRefreshed = inEachStage(
    "list/refreshed",
    """
    loading, refreshing, paging, retrying and calling off at the same time: no row is listed \
    twice or left out, nothing stays under way, and nothing follows a cancel
    """, tasks: 4
  ) { world, stage, tracker in
    let model = stage.makeList(service: ShakyRows(world: world), pageSize: 2, isolation: world.isolation)
    tracker.track(model.subject)
    let looks = EventLog<ListLook>()
    let states = model.states()
    let screen = world.spawn("screen") {
      for await state in states {
        let look = ListLook(state)
        look.check(in: world)
        looks.append(look)
      }
    }
    world.spawn("opens") {
      await model.load()
      try await world.faults.latency()
      await model.loadNextPage()
    }
    world.spawn("pulls", canBeLeftOut: true) {
      await Task.yield()
      await model.refresh()
    }
    world.spawn("scrolls", canBeLeftOut: true) {
      for _ in 1...2 {
        try await world.faults.latency()
        await model.loadNextPage()
      }
      await model.retry()
    }
    if world.flip() {
      world.spawn("leaves", canBeLeftOut: true) {
        try await world.faults.latency()
        await model.cancel()
      }
    }
    await world.settle()
    await model.settle()
    world.expect(model.state.underWay == nil, "a page is still under way")
    world.expectEqual(looks.values.last, ListLook(model.state), "shown at rest:")

    if world.flip() {
      await model.refresh()
      try await world.faults.latency()
      await model.cancel()
      let calledOff = ListLook(model.state)
      world.expect(calledOff.isAtRest, "under way after a cancel: \(calledOff)")
      await world.expectQuiet(model.states())
      world.expectEqual(ListLook(model.state), calledOff, "after a cancel:")
    }
    // It goes away, perhaps while it loads, and a stream ends with it. A binding has no end to be told of.
    if world.flip() { await model.refresh() }
    if stage == .closure { screen.cancel() }
  }
}

/// What a screen makes of a list's state.
private struct ListLook: Equatable, Sendable {
  let rows: [Int]
  let isAtRest: Bool
  let hasFailed: Bool

  init(_ state: ListState<Row>) {
    rows = state.items.map(\.id)
    isAtRest = state.underWay == nil
    hasFailed = state.request(for: .retry) != nil
  }

  func check(in world: SimulatedWorld) {
    world.expectEqual(rows, Array(0..<rows.count), "rows:")
    world.expect(rows.count % 2 == 0 || rows.count == 5, "half a page: \(rows)")
  }
}
