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
    let model = ProductListViewModel(service: net, pageSize: 2, isolation: world.isolation)
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

  private static func checkEnd(of state: ProductListState, in world: SimulatedWorld) {
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

extension ProductListState {
  /// Whether every page is loaded, and no failure can be retried.
  fileprivate var isComplete: Bool { content.value != nil && !hasMore && request(for: .retry) == nil }
}

/// The HTTP storefront over a bad network that may become good. It checks that each call ends as its
/// connection did.
private final class Net: PageService {
  static let products = (0..<5).map {
    CatalogProduct(id: .init(rawValue: $0 + 1), name: "Tea \($0)", price: .zero(in: .eur), stock: 1)
  }
  static let pages = 3

  private let base: URL
  private let world: SimulatedWorld
  private let isGood = StateStore(false)
  private let log = EventLog<Int>()

  init(world: SimulatedWorld) {
    guard let base = URL(string: "http://shop.example") else { preconditionFailure("not a URL") }
    self.base = base
    self.world = world
  }

  /// The pages requested over the good network.
  var served: [Int] { log.values }

  func becomesGood() { isGood.send(true) }

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    if isGood.value { log.append(request.index ?? 0) }
    let connection = Connection(faults: isGood.value ? nil : world.faults)
    do {
      // Each call has one connection, so the client sends each request once.
      let options = HTTPOptions(retry: .none, clock: world.clock)
      let storefront = try HTTPStorefront(baseURL: base, transport: connection, options: options)
      let page = try await storefront.page(request)
      world.expectEqual(connection.ending, .intact, "a page after")
      return page
    } catch {
      switch (error, connection.ending) {
      case (is CancellationError, _): world.expect(Task.isCancelled, "cancelled by itself")
      case (ServiceError.status(let code, _), .refused(let status)):
        world.expectEqual(code, status, "the status")
      case (ServiceError.malformed, .damaged), (ServiceError.timedOut, .timedOut),
        (ServiceError.connectionLost, .lost):
        break
      case (_, let ending): world.fail("\(error) after \(ending)")
      }
      throw error
    }
  }
}

/// A connection that receives one request for a page and answers it.
private final class Connection: HTTPTransport {
  enum Ending: Equatable {
    case open, intact, damaged, lost, timedOut
    case refused(status: Int)
  }

  private let faults: SimulatedWorldFaults?
  private let state = StateStore(Ending.open)

  /// Creates a connection of a good network if there are no faults.
  init(faults: SimulatedWorldFaults?) { self.faults = faults }

  var ending: Ending { state.value }

  func send(
    _ request: URLRequest, completion: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
  ) -> CancellationToken {
    let task = Task {
      do {
        completion(.success(try await answer(request)))
      } catch {
        completion(.failure(error))
      }
    }
    return CancellationToken { task.cancel() }
  }

  private func answer(_ request: URLRequest) async throws -> TransportResponse {
    guard let url = request.url, let page = Self.page(at: url) else {
      preconditionFailure("\(request) does not request a page")
    }
    let body = Self.body(of: page)
    var (status, received) = (200, body)
    if let faults {
      try await faults.latency()
      do {
        (status, received) = try faults.response(body)
      } catch {
        state.send(error.code == .timedOut ? .timedOut : .lost)
        throw error
      }
    }
    state.send(status != 200 ? .refused(status: status) : received == body ? .intact : .damaged)
    let head = HTTPURLResponse(
      url: url, statusCode: status, httpVersion: "HTTP/1.1",
      headerFields: ["Content-Type": "application/json"])
    guard let head else { preconditionFailure("\(url) has no response") }
    return (received, head)
  }

  private static func page(at url: URL) -> PageRequest? {
    let query = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    func number(_ name: String) -> Int? { query.first { $0.name == name }?.value.flatMap { Int($0) } }
    guard url.path == "/products", let index = number("page"), let size = number("size") else { return nil }
    return PageRequest(index: index, size: size)
  }

  /// The JSON of a page. Its keys are sorted, so that a fault damages the same bytes in each run.
  private static func body(of request: PageRequest) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      return try encoder.encode(Page(request, of: Net.products))
    } catch {
      preconditionFailure("a page does not encode: \(error)")
    }
  }
}
