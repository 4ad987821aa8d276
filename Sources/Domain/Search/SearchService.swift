public import AsyncViewModels

/// A service that finds items by a search text.
public protocol SearchService<Hit>: Sendable {
  /// One result of a search. If two pages contain the same hit, its identity tells.
  associatedtype Hit: Sendable & Identifiable

  /// Loads one page of the items that match `query`, best first. If nothing matches, the result is an empty last page, not an
  /// error.
  ///
  /// The first request for a query has the position ``PagePosition/start``. Each further request has the position that the page
  /// before contains in ``Page/next``, with the same query.
  ///
  /// - Throws: ``PageError/expired(_:)`` if the service does not know the cursor or no longer knows it.
  ///   `CancellationError` if the task is cancelled before the response arrives. In all other cases, the error of the request,
  ///   usually a ``ServiceError``.
  func results(for query: String, page: PageRequest) async throws -> Page<Hit>
}

/// The completion-handler form of ``SearchService``.
public protocol SearchClosureService<Hit>: Sendable {
  /// One result of a search. If two pages contain the same hit, its identity tells.
  associatedtype Hit: Sendable & Identifiable

  /// Loads one page of the items that match `query`, best first. If nothing matches, the result is an empty last page, not an
  /// error. The request fails with ``PageError/expired(_:)`` if the service does not know the cursor or no longer knows it.
  ///
  /// The first request for a query has the position ``PagePosition/start``. Each further request has the position that the page
  /// before contains in ``Page/next``, with the same query.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion` receives an
  /// error that reports the cancellation, unless the response arrived first. Cancelling or releasing the token
  /// cancels the request.
  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<Hit>, any Error>) -> Void
  ) -> CancellationToken
}

extension SearchClosureService {
  /// The async form of this service. It calls the service through
  /// ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some SearchService<Hit> { AsyncSearch(base: self) }
}

extension SearchService {
  /// The completion-handler form of this service. It calls the service through
  /// ``/AsyncViewModels/performAsync(completion:on:_:)``.
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
