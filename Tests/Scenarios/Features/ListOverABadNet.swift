import AsyncViewModels
import AsyncViewModelsSimulation
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Scenario {
  static let listOverABadNet = Scenario(
    "list/over-a-bad-net",
    """
    over a bad network, a list ends loaded or failed and keeps its rows; when the network is good again, \
    retries load each remaining page once, in order
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

  private static func checkEnd(of state: ListState<CatalogProduct>, in world: SimulatedWorld) {
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

/// A service whose pages arrive over a bad network that may become good. It decodes its responses with the
/// code of the HTTP storefront. Only the connection is replaced, because the simulation cannot control a `URLSession`.
private final class Net: PageService {
  static let products = (0..<5).map {
    CatalogProduct(id: .init(rawValue: $0 + 1), name: "Tea \($0)", price: .zero(in: .eur), stock: 1)
  }
  static let pages = 3

  private let world: SimulatedWorld
  private let isGood = ObservableState(false)
  private let log = EventLog<Int>()

  init(world: SimulatedWorld) { self.world = world }

  /// The pages requested over the good network.
  var served: [Int] { log.values }

  func becomesGood() { isGood.send(true) }

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    try await world.faults.latency()
    let body = Self.body(of: request)
    let endpoint = Endpoint.products(request)
    guard !isGood.value else {
      log.append(request.index)
      return try ResponseDecoding.value(of: endpoint, in: body, Self.response(200))
    }
    let (status, received): (Int, Data)
    do {
      (status, received) = try world.faults.answer(body)
    } catch {
      let failure = ResponseDecoding.failure(of: error)
      let isTimeOut = failure as? ServiceError == .timedOut
      world.expectEqual(isTimeOut, error.code == .timedOut, "\(failure) for \(error.code):")
      throw failure
    }
    do {
      let page = try ResponseDecoding.value(of: endpoint, in: received, Self.response(status))
      world.expect(
        status == 200 && received == body, "a damaged or refused response is a page; its status: \(status)")
      return page
    } catch ServiceError.status(let code, let message) {
      world.expect(code == status && status != 200, "the error \(code) from the status \(status)")
      throw ServiceError.status(code: code, message: message)
    } catch {
      world.expect(status == 200 && received != body, "\(error) from the status \(status)")
      throw error
    }
  }

  private static func response(_ status: Int) -> HTTPURLResponse? {
    URL(string: "http://shop.example/products").flatMap {
      HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)
    }
  }

  /// The JSON of a page. Its keys are sorted, so that a fault damages the same bytes in each run.
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
