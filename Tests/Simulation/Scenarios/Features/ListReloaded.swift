import Domain
import ViewModelTesting
import ViewModels

extension Scenario {
  static let listReloaded = Scenario(
    "list/reloaded",
    """
    loading, reloading, paging, retrying and calling off at the same time: no row is listed \
    twice or left out, and nothing stays under way
    """, tasks: 4
  ) { world in
    struct Row: Identifiable, Sendable {
      let id: Int
    }
    struct Service: PageService {
      let world: World

      func page(_ request: PageRequest) async throws -> Page<Row> {
        if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
        try world.faults.failure(ServiceError.timedOut)
        return Page(request, of: (0..<5).map { Row(id: $0) })
      }
    }
    let model = ListViewModel(
      service: Service(world: world), pageSize: 2, isolation: world.isolation)
    world.spawn("opens") {
      await model.load().value
      await model.loadNextPage().value
    }
    world.spawn("pulls", canBeLeftOut: true) {
      await Task.yield()
      await model.reload().value
    }
    world.spawn("scrolls", canBeLeftOut: true) {
      for _ in 1...2 { await model.loadNextPage().value }
      await model.retry().value
    }
    if world.flip() {
      world.spawn("leaves", canBeLeftOut: true) {
        try await world.faults.latency()
        await model.cancel()
      }
    }
    await world.settle()
    let ids = model.state.items.map(\.id)
    world.expectEqual(ids, Array(0..<ids.count), "rows:")
    world.expect(ids.count % 2 == 0 || ids.count == 5, "half a page: \(ids)")
    world.expect(model.state.underWay == nil, "a page is still under way")
    await model.reload().value
    world.expect(model.state.content.isLoading == false, "still loading")
  }
}
