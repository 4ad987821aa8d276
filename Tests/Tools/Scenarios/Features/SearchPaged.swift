import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization

extension Scenario {
  static let searchPaged = inEachStage(
    "search/paged",
    """
    while the user types, scrolls and retries, and cursors expire, the hits on the screen belong to one query, in \
    the order of the service, each once and without gaps; afterwards all hits of the last query can be loaded
    """, tasks: 4
  ) { world, stage, tracker in
    let service = ShakyHits(world: world)
    let model = stage.makeSearch(
      service: service, clock: world.clock, pageSize: 2, isolation: world.isolation)
    tracker.track(model.subject)
    let states = model.states()
    let screen = world.spawn("screen") {
      for await state in states { state.check(in: world) }
    }
    world.spawn("types") {
      for query in ["a", "b", " b", "a"] {
        model.setQuery(query)
        if world.flip() { await model.submit().value }
        try await world.faults.latency(upTo: .milliseconds(600))
        if world.flip() { model.cancel() }
      }
    }
    world.spawn("scrolls", canBeLeftOut: true) {
      for _ in 1...3 {
        try await world.faults.latency(upTo: .milliseconds(600))
        let load = model.state.nextPageFailure == nil ? model.loadNextPage() : model.retry()
        if world.flip() { await load.value } else { load.cancel() }
      }
    }
    world.spawn("forgets its cursors", canBeLeftOut: true) {
      try await world.faults.latency(upTo: .milliseconds(900))
      service.expireCursors()
    }
    await world.settle()
    await model.settle()
    model.state.check(in: world)
    world.expect(!model.state.isSearching && !model.state.isLoadingNextPage, "a request is still in flight")

    service.recover()
    for _ in 1...8 where model.state.answersWholly("a") == false {
      let state = model.state
      if state.nextPageFailure != nil {
        await model.retry().value
      } else if state.hasMore, state.shownQuery == "a" {
        await model.loadNextPage().value
      } else {
        await model.submit().value
      }
      model.state.check(in: world)
    }
    world.expectEqual(model.state.results.value, ShakyHits.hits(of: "a"))
    world.expect(!model.state.hasMore, "more hits than there are")

    // The view model is released when this closure returns, perhaps during a request.
    if world.flip() { model.submit() }
    if stage == .closure { screen.cancel() }
  }
}

extension SearchState<TextHit> {
  /// The query to which the hits on the screen belong.
  fileprivate var shownQuery: String? { results.value?.first.map { String($0.text.prefix(1)) } }

  fileprivate func answersWholly(_ query: String) -> Bool { results.value == ShakyHits.hits(of: query) }

  fileprivate func check(in world: SimulatedWorld) {
    guard let hits = results.value, let query = shownQuery else { return }
    world.expectEqual(hits, Array(ShakyHits.hits(of: query).prefix(hits.count)), "hits:")
    world.expect(isSearching || !isLoadingNextPage || hasMore, "a page after the last one is being loaded")
  }
}

/// The hits of each query in their order, page by page, by cursor. Each page after the first begins with the last hit of the page
/// before. A page is late, may fail, and may ignore cancellation. The cursors of one query mean nothing for another query.
private struct ShakyHits: SearchService, SearchClosureService {
  private final class Settings: Sendable {
    let generation = Atomic(0)
    let fails = Atomic(true)
  }

  let world: SimulatedWorld
  private let settings = Settings()

  init(world: SimulatedWorld) { self.world = world }

  static func hits(of query: String) -> [TextHit] { (1...4).map { TextHit("\(query)\($0)") } }

  /// Makes all cursors expire.
  func expireCursors() { settings.generation.add(1, ordering: .relaxed) }

  /// Lets every later request succeed at once.
  func recover() { settings.fails.store(false, ordering: .relaxed) }

  func results(for query: String, page: PageRequest) async throws -> Page<TextHit> {
    if settings.fails.load(ordering: .relaxed) {
      if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
      try world.faults.failure(ServiceError.timedOut)
    }
    let generation = settings.generation.load(ordering: .relaxed)
    var offset = 0
    if let cursor = page.position.cursor {
      let parts = cursor.rawValue.split(separator: "/")
      world.expectEqual(String(parts[1]), query, "a cursor of another query:")
      guard parts[0] == "\(generation)" else { throw PageError.expired(cursor) }
      offset = Int(parts[2]) ?? 0
    }
    let rest = Self.hits(of: query).dropFirst(offset)
    let hasMore = rest.count > page.size
    // One hit of each page is on the next page, too.
    return Page(
      Array(rest.prefix(page.size)),
      cursor: hasMore ? "\(generation)/\(query)/\(offset + page.size - 1)" : nil)
  }

  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<TextHit>, any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { try await results(for: query, page: page) }
  }
}
