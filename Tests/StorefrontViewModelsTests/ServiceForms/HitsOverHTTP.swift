import AsyncViewModels
import StorefrontDomain
import StorefrontServices
import StorefrontTesting

/// A hit that the storefront's server can send.
protocol WireHit: Sendable, Identifiable where ID: Sendable {
  init(_ hit: SearchHit)
  var hit: SearchHit { get }
}

extension CatalogProduct: WireHit {
  init(_ hit: SearchHit) { self.init(hit.id.rawValue, hit.title) }
  var hit: SearchHit { SearchHit(id: id, title: name, detail: "") }
}

/// A hit is sent with its text. The number in its identity is of no use: a client tells two hits apart by their text.
extension TextHit: WireHit {
  init(_ hit: SearchHit) { self.init(hit.title, version: hit.id.rawValue - 1) }
  var hit: SearchHit { SearchHit(id: CatalogProduct.ID(rawValue: version + 1), title: text, detail: "") }
}

/// The storefront's search over HTTP, for hits of other types.
struct HitsOverHTTP<Hit: WireHit>: SearchService, SearchClosureService {
  private let async: HTTPStorefront
  private let closure: HTTPClosureStorefront

  init(serving service: any Sendable) { (async, closure) = HTTPGateway.storefronts(serving: service) }

  func results(for query: String, page: PageRequest) async throws -> Page<Hit> {
    try await async.results(for: query, page: page).map { Hit($0) }
  }
  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<Hit>, any Error>) -> Void
  ) -> CancellationToken {
    closure.results(for: query, page: page) { completion($0.map { $0.map { Hit($0) } }) }
  }
}
