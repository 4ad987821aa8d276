import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let listCallersCancelled = Scenario(
    "list/callers-cancelled",
    """
    two callers wait for one page, and any of them may be cancelled: the load continues while a caller \
    waits; if all callers are cancelled, the request is cancelled, and the list keeps its rows
    """, tasks: 4
  ) { world in
    let tracker = LeakTracker()
    try await cancelCallers(tracker, in: world)
    await world.settle()
    world.expectEqual(tracker.survivors, [], "kept alive:")
  }

  private static func cancelCallers(_ tracker: LeakTracker, in world: SimulatedWorld) async throws {
    let service = LoggedRows(world: world)
    let model = tracker.track(ProductListViewModel(service: service, pageSize: 2, isolation: world.isolation))
    let isFirst = !world.flip()
    if !isFirst { await model.load() }
    let (before, loaded) = isFirst ? ([], [0, 1]) : ([0, 1], [0, 1, 2, 3])
    let earlier = service.requests.begun

    let callers = (1...2).map { number in
      world.spawn("caller \(number)") {
        if isFirst { await model.load() } else { await model.loadNextPage() }
        if Task.isCancelled { return }
        world.expectEqual(model.state.items.map(\.id.rawValue), loaded, "for a caller that waits:")
      }
    }
    let leavers = callers.prefix(world.choose(3))
    if !leavers.isEmpty { try await world.faults.latency(upTo: .milliseconds(200)) }
    for leaver in leavers {
      leaver.cancel()
      if world.flip() { await Task.yield() }
    }
    for caller in callers { await caller.waitForEnd() }

    // The last caller returns after the load has ended or was cancelled, so nothing is left to wait for.
    let rows = model.state.items.map(\.id.rawValue)
    world.expect(rows == loaded || rows == before && leavers.count == 2, "\(rows) instead of \(loaded)")
    world.expect(model.state.pendingRequest == nil, "loading without a caller")
    world.expect(
      service.requests.begun - earlier <= 1 + leavers.count, "callers of one page do not share its request")
    let open = service.requests.current
    await world.expectQuiet(model.states())
    world.expectEqual(model.state.items.map(\.id.rawValue), rows, "after the last caller:")
    world.expect(service.requests.values.count >= open, "a request without a caller was not cancelled")
  }
}

/// Rows that arrive late. A request may ignore its cancellation.
private struct LoggedRows: PageService {
  let world: SimulatedWorld
  /// Counts the requests. Its events are the numbers of the cancelled requests.
  let requests = EventLog<Int>()

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    let number = requests.begin()
    defer {
      if Task.isCancelled { requests.append(number) }
      requests.end()
    }
    if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
    return Page(request, of: (0..<4).map { CatalogProduct($0) })
  }
}
