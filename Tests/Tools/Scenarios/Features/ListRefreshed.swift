import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let listRefreshed = inEachStage(
    "list/refreshed",
    """
    while the list is loaded, refreshed, paged, retried and cancelled at the same time, it shows each row \
    once; afterwards no page is loading, and after a cancel no state is published
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
      let refresh = await model.refresh()
      if world.flip() {
        try await world.faults.latency()
        refresh.cancel()
        await refresh.value
      }
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
    world.expect(model.state.pendingRequest == nil, "a page is still loading")
    world.expectEqual(looks.values.last, ListLook(model.state), "shown at rest:")

    if world.flip() {
      await model.refresh()
      try await world.faults.latency()
      await model.cancel()
      let cancelled = ListLook(model.state)
      world.expect(cancelled.isAtRest, "loading after a cancel: \(cancelled)")
      await world.expectQuiet(model.states())
      world.expectEqual(ListLook(model.state), cancelled, "after a cancel:")
    }
    // The view model is released when this closure returns, perhaps during a load. Its release ends its
    // stream. The stream of a closure-stage binding does not end, so the screen is cancelled.
    if world.flip() { await model.refresh() }
    if stage == .closure { screen.cancel() }
  }
}

/// The visible part of a list's state.
private struct ListLook: Equatable, Sendable {
  let rows: [Int]
  let isAtRest: Bool
  let hasFailed: Bool

  init(_ state: ProductListState) {
    rows = state.items.map(\.id.rawValue)
    isAtRest = state.pendingRequest == nil
    hasFailed = state.request(for: .retry) != nil
  }

  func check(in world: SimulatedWorld) {
    world.expectEqual(rows, Array(0..<rows.count), "rows:")
    world.expect(rows.count % 2 == 0 || rows.count == 5, "half a page: \(rows)")
  }
}
