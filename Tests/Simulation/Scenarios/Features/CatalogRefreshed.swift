import Domain
import ViewModelTesting
import ViewModels

extension Scenario {
  static let catalogRefreshed = Scenario(
    "catalog/refreshed",
    """
    A catalogue that is refreshed while it loads page by page: what it shows has every item \
    once, and it comes to rest
    """, tasks: 4
  ) { world in
    struct Item: Identifiable, Equatable, Sendable {
      let id: Int
    }
    struct Service: PageService {
      let world: World

      func page(_ request: PageRequest) async throws -> Page<Item> {
        if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
        return Page(request, of: (0..<5).map { Item(id: $0) })
      }
    }
    let model = CatalogViewModel(
      service: Service(world: world), pageSize: 2, section: { (item: Item) in item.id % 2 },
      isolation: world.isolation)
    world.spawn("opens") { await model.load().value }
    world.spawn("pulls", canBeLeftOut: true) {
      await Task.yield()
      await model.refresh().value
    }
    let isCalledOff = world.flip()
    if isCalledOff {
      world.spawn("leaves", canBeLeftOut: true) {
        try await world.faults.latency()
        await model.cancel()
      }
    }
    await world.settle()
    world.expect(!model.state.isRefreshing, "still refreshing")
    world.expect(model.state.failure == nil, "\(String(describing: model.state.failure))")
    if !isCalledOff { world.expect(model.state.isComplete, "it is not complete") }
    await model.refresh().value
    world.expectEqual(model.state.snapshot.itemCount, 5, "items:")
  }
}
