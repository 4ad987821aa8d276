import Domain
import ViewModelTesting
import ViewModels

extension Scenario {
  static let tornDownWhileLoading = Scenario(
    "screens/torn-down-while-loading",
    """
    screens that go away while they load: their requests are called off, and neither they nor \
    their view models live on
    """, tasks: 2
  ) { world in
    struct Row: Identifiable, Sendable {
      let id: Int
    }
    struct Service: PageService {
      let world: World
      let calls: EventLog<Int>

      func page(_ request: PageRequest) async throws -> Page<Row> {
        calls.begin()
        defer { calls.end() }
        try await world.clock.sleep(for: .seconds(1))
        return Page(request, of: [Row(id: 0)])
      }
    }
    let calls = EventLog<Int>()
    let begin = world.clock.now
    weak let gone: ListViewModel<Row>?
    do {
      let model = ListViewModel(
        service: Service(world: world, calls: calls), pageSize: 2, isolation: world.isolation)
      gone = model
      let states = model.states()
      world.spawn("screen") { for await _ in states {} }
      await model.load()
      for _ in 0..<world.choose(4) { await Task.yield() }
      if world.flip() { await model.reload() }
    }
    await world.settle()
    world.expect(gone == nil, "the view model is kept alive")
    world.expectEqual(calls.current, 0, "requests under way:")
    world.expectEqual(world.clock.now, begin, "nobody waited for the answer:")
  }
}
