import AsyncViewModels
import StorefrontDomain
import StorefrontServices

/// A value of a generic view model that the storefront's server can send as a product or as a hit of a search.
protocol WireValue: Sendable {
  init(id: Int, text: String)
  var id: Int { get }
  var text: String { get }
}

extension Row: WireValue {}

extension String: WireValue {
  init(id: Int, text: String) { self = text }
  var id: Int { 1 }
  var text: String { self }
}

extension WireValue {
  var product: CatalogProduct {
    CatalogProduct(id: CatalogProduct.ID(rawValue: id), name: text, price: .zero(in: .usd), stock: 1)
  }
  var hit: SearchHit { SearchHit(id: CatalogProduct.ID(rawValue: id), title: text, detail: "") }

  init(_ product: CatalogProduct) { self.init(id: product.id.rawValue, text: product.name) }
  init(_ hit: SearchHit) { self.init(id: hit.id.rawValue, text: hit.title) }
}

extension Page {
  func map<Other>(_ transform: (Item) -> Other) -> Page<Other> {
    Page<Other>(items: items.map(transform), index: index, isLast: isLast)
  }
}

/// The storefront's generic services over HTTP, for values that are not products.
struct ValuesOverHTTP<Value: WireValue>: PageService, PageClosureService, SearchService, SearchClosureService
{
  private let async: HTTPStorefront
  private let closure: HTTPClosureStorefront

  init(serving service: any Sendable) { (async, closure) = HTTPGateway.storefronts(serving: service) }

  func page(_ request: PageRequest) async throws -> Page<Value> {
    try await async.page(request).map { Value($0) }
  }
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Value>, any Error>) -> Void
  ) -> CancellationToken { closure.page(request) { completion($0.map { $0.map { Value($0) } }) } }

  func results(for query: String) async throws -> [Value] {
    try await async.results(for: query).map { Value($0) }
  }
  func results(
    for query: String, completion: @escaping @Sendable (Result<[Value], any Error>) -> Void
  ) -> CancellationToken { closure.results(for: query) { completion($0.map { $0.map { Value($0) } }) } }
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
