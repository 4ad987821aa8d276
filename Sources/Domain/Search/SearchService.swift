public import AsyncViewModels

/// A service that finds items by a search text.
public protocol SearchService<Hit>: Sendable {
  /// One result of a search.
  associatedtype Hit: Sendable

  /// Loads the items that match `query`, best first. If nothing matches, the result is an empty array, not an
  /// error.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the response arrives. In all other cases,
  ///   the error of the request, usually a ``ServiceError``.
  func results(for query: String) async throws -> [Hit]
}

/// The completion-handler form of ``SearchService``.
public protocol SearchClosureService<Hit>: Sendable {
  /// One result of a search.
  associatedtype Hit: Sendable

  /// Loads the items that match `query`, best first. If nothing matches, the result is an empty array, not an
  /// error.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion` receives an
  /// error that reports the cancellation, unless the response arrived first. Cancelling or releasing the token
  /// cancels the request.
  func results(
    for query: String, completion: @escaping @Sendable (Result<[Hit], any Error>) -> Void
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

  func results(for query: String) async throws -> [Base.Hit] {
    try await withCompletionHandler { base.results(for: query, completion: $0) }
  }
}

private struct ClosureSearch<Base: SearchService>: SearchClosureService {
  let base: Base

  func results(
    for query: String, completion: @escaping @Sendable (Result<[Base.Hit], any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion) { try await base.results(for: query) }
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
