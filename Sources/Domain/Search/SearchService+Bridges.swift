import AsyncViewModels

extension SearchClosureService {
  /// This service for a caller that has async/await. See ``withCompletionHandler(_:)`` for what it promises.
  public var asAsync: some SearchService<Hit> { AsyncSearch(base: self) }
}

extension SearchService {
  /// This service for a caller that has completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)`` for what it promises.
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
