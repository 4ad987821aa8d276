public import AsyncViewModels

/// A service that finds items by a search text.
public protocol SearchService<Hit>: Sendable {
  /// One result of a search. Its identity tells if two pages contain it.
  associatedtype Hit: Sendable & Identifiable

  /// Loads one page of the items that match `query`, best first. See ``PageService/page(_:)``. If
  /// nothing matches, the result is an empty last page.
  func results(for query: String, page: PageRequest) async throws -> Page<Hit>
}

/// The completion-handler form of ``SearchService``. See ``PageClosureService`` for the calls.
public protocol SearchClosureService<Hit>: Sendable {
  /// One result of a search. Its identity tells if two pages contain it.
  associatedtype Hit: Sendable & Identifiable

  /// Loads one page of the items that match `query`. See ``SearchService/results(for:page:)``.
  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<Hit>, any Error>) -> Void
  ) -> CancellationToken
}

extension SearchClosureService {
  /// The async form of this service.
  public var asAsync: some SearchService<Hit> { AsyncSearch(base: self) }
}

extension SearchService {
  /// The completion-handler form of this service.
  public var asClosure: some SearchClosureService<Hit> { ClosureSearch(base: self) }
}

private struct AsyncSearch<Base: SearchClosureService>: SearchService {
  let base: Base

  func results(for query: String, page: PageRequest) async throws -> Page<Base.Hit> {
    try await withCompletionHandler { base.results(for: query, page: page, completion: $0) }
  }
}

private struct ClosureSearch<Base: SearchService>: SearchClosureService {
  let base: Base

  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<Base.Hit>, any Error>) -> Void
  ) -> CancellationToken {
    performForAccount(completion: completion) { try await base.results(for: query, page: page) }
  }
}

/// One result of a search.
public struct SearchHit: Sendable, Hashable, Codable, Identifiable {
  /// The id of the matching product.
  public let id: CatalogProduct.ID
  /// The first line of the result, such as the product's name.
  public let title: String
  /// The second line of the result, such as the product's price.
  public let detail: String

  /// Creates a result.
  public init(id: CatalogProduct.ID, title: String, detail: String) {
    self.id = id
    self.title = title
    self.detail = detail
  }
}
