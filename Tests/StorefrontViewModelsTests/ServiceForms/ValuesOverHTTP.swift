import AsyncViewModels
import StorefrontDomain
import StorefrontServices
import StorefrontTesting

/// A value of a generic view model that the storefront's server can send as a product or as a hit of a search.
protocol WireValue: Sendable {
  init(id: Int, text: String)
  var number: Int { get }
  var text: String { get }
}

extension Row: WireValue {
  var number: Int { id }
}

/// A hit is sent with its text. The number in its identity is of no use: a client tells two hits apart by their text.
extension TextHit: WireValue {
  init(id: Int, text: String) { self.init(text, version: id - 1) }
  var number: Int { version + 1 }
}

extension WireValue {
  var product: CatalogProduct {
    CatalogProduct(id: CatalogProduct.ID(rawValue: number), name: text, price: .zero(in: .usd), stock: 1)
  }
  var hit: SearchHit { SearchHit(id: CatalogProduct.ID(rawValue: number), title: text, detail: "") }

  init(_ product: CatalogProduct) { self.init(id: product.id.rawValue, text: product.name) }
  init(_ hit: SearchHit) { self.init(id: hit.id.rawValue, text: hit.title) }
}

/// The storefront's generic services over HTTP, for values that are not products.
struct ValuesOverHTTP<Value: WireValue>: PageService, PageClosureService {
  private let async: HTTPStorefront
  private let closure: HTTPClosureStorefront

  init(serving service: any Sendable) { (async, closure) = HTTPGateway.storefronts(serving: service) }

  func page(_ request: PageRequest) async throws -> Page<Value> {
    try await async.page(request).map { Value($0) }
  }
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Value>, any Error>) -> Void
  ) -> CancellationToken { closure.page(request) { completion($0.map { $0.map { Value($0) } }) } }
}

extension ValuesOverHTTP: SearchService, SearchClosureService where Value: Identifiable {
  func results(for query: String, page: PageRequest) async throws -> Page<Value> {
    try await async.results(for: query, page: page).map { Value($0) }
  }
  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<Value>, any Error>) -> Void
  ) -> CancellationToken {
    closure.results(for: query, page: page) { completion($0.map { $0.map { Value($0) } }) }
  }
}

extension ValuesOverHTTP: DetailService, DetailClosureService where Value: Identifiable, Value.ID == Int {
  func detail(of id: Int) async throws -> Value {
    Value(try await async.detail(of: CatalogProduct.ID(rawValue: id)))
  }
  func detail(
    of id: Int, completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> CancellationToken {
    closure.detail(of: CatalogProduct.ID(rawValue: id)) { completion($0.map { Value($0) }) }
  }
}
