import Domain
import ViewModelTesting
import ViewModels

extension Scenario {
  static let detailAskedTwice = Scenario(
    "detail/asked-twice",
    """
    two screens ask for one detail, and one of them leaves: what is there is shown, a load \
    that was called off leaves no trace, and no more is asked for than needed
    """, tasks: 4
  ) { world in
    struct Item: Identifiable, Sendable {
      let id: Int
    }
    struct Service: DetailService {
      let world: World
      let calls: EventLog<Int>

      func detail(of id: Int) async throws -> Item {
        calls.begin()
        defer { calls.end() }
        if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
        try world.faults.failure(ServiceError.timedOut)
        return Item(id: id)
      }
    }
    let calls = EventLog<Int>()
    let model = DetailViewModel(
      itemID: 7, source: .list, service: Service(world: world, calls: calls), isolation: world.isolation)
    for number in 1...2 { world.spawn("screen \(number)") { await model.loadIfNeeded().value } }
    if world.flip() {
      world.spawn("leaves", canBeLeftOut: true) {
        try await world.faults.latency()
        await model.cancel()
      }
    }
    await world.settle()
    world.expect(!model.state.content.isLoading, "still loading")
    world.expect(calls.begun <= 2, "\(calls.begun) calls")
    if let item = model.state.content.value { world.expectEqual(item.id, 7) }
    while model.state.content.value == nil { await model.loadIfNeeded().value }
    let begun = calls.begun
    await model.loadIfNeeded().value
    world.expectEqual(calls.begun, begun, "what is there is not asked for again:")
  }
}
