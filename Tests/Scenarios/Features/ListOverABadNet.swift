import AsyncViewModels
import AsyncViewModelsSimulation
import Foundation
import StorefrontDomain
import StorefrontViewModels

extension Scenario {
  static let listOverABadNet = Scenario(
    "list/over-a-bad-net",
    """
    over a bad network, a list ends loaded or failed and keeps its rows; retries over a good network load \
    each remaining page once, in order
    """, tasks: 4
  ) { world in
    let net = Net(world: world)
    let model = ListViewModel(service: net, pageSize: 2, isolation: world.isolation)
    world.spawn("opens") {
      await model.load()
      await model.loadNextPage()
    }
    world.spawn("pulls", canBeLeftOut: true) {
      await Task.yield()
      let had = model.state.content.value != nil
      await model.refresh()
      world.expect(!had || model.state.content.value != nil, "the old content is gone")
    }
    world.spawn("scrolls", canBeLeftOut: true) {
      for _ in 1...2 { await model.loadNextPage() }
      await model.retry()
    }
    await world.settle()
    checkEnd(of: model.state, in: world)

    let old = model.state
    await model.refresh()
    checkEnd(of: model.state, in: world)
    if model.state.refreshFailure != nil {
      world.expectEqual(model.state.items.map(\.id), old.items.map(\.id), "kept:")
    }

    net.becomesGood()
    let first = model.state.request(for: .retry)?.index ?? (model.state.items.count + 1) / 2
    for _ in 0..<Net.pages where !model.state.isComplete {
      if model.state.request(for: .retry) == nil { await model.loadNextPage() } else { await model.retry() }
    }
    world.expectEqual(model.state.items.map(\.id), Net.products.map(\.id), "in the end:")
    world.expect(model.state.isComplete, "not complete: \(model.state)")
    world.expectEqual(
      net.served, first < Net.pages ? Array(first..<Net.pages) : [], "pages over the good network:")
  }

  private static func checkEnd(of state: ListState<Product>, in world: SimulatedWorld) {
    world.expect(state.pendingRequest == nil, "a page is still loading")
    switch state.content {
    case .loaded(let items):
      world.expectEqual(items.map(\.id), Net.products.prefix(items.count).map(\.id), "rows:")
    case .failed(let error):
      world.expect(error is ServiceError, "failed with \(error)")
    case .idle, .loading, .empty:
      world.fail("neither loaded nor failed: \(state.content)")
    }
  }
}

extension ListState {
  /// Whether every page is loaded, and no failure can be retried.
  fileprivate var isComplete: Bool { content.value != nil && !hasMore && request(for: .retry) == nil }
}

/// A service whose pages arrive as JSON over a bad network that may become good.
private final class Net: PageService {
  static let products = (0..<5).map {
    Product(id: .init(rawValue: $0), name: "Tea \($0)", price: .zero(in: .eur), stock: 1)
  }
  static let pages = 3

  private let world: SimulatedWorld
  private let isGood = ObservableState(false)
  private let log = EventLog<Int>()

  init(world: SimulatedWorld) { self.world = world }

  /// The pages requested over the good network.
  var served: [Int] { log.values }

  func becomesGood() { isGood.send(true) }

  func page(_ request: PageRequest) async throws -> Page<Product> {
    try await world.faults.latency()
    let (status, body) = try answer(to: request)
    guard status == 200 else { throw ServiceError.status(code: status, message: "") }
    do {
      return try JSONDecoder().decode(Page<Product>.self, from: body)
    } catch {
      throw ServiceError.malformed("GET /products")
    }
  }

  private func answer(to request: PageRequest) throws(ServiceError) -> (status: Int, body: Data) {
    let body = Self.body(of: request)
    guard !isGood.value else {
      log.append(request.index)
      return (200, body)
    }
    do {
      return try world.faults.answer(body)
    } catch {
      throw error.code == .timedOut ? .timedOut : .unreachable("the connection was lost")
    }
  }

  /// The JSON of a page with sorted keys, so that a cut body depends only on the seed.
  private static func body(of request: PageRequest) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      return try encoder.encode(Page(request, of: products))
    } catch {
      preconditionFailure("a page does not encode: \(error)")
    }
  }
}
