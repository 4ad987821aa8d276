import AsyncViewModels

extension DetailClosureService where Detail.ID: Sendable {
  /// This service for a caller that has async/await. See ``withCompletionHandler(_:)`` for what it promises.
  public var asAsync: some DetailService<Detail> { AsyncDetails(base: self) }
}

extension DetailService where Detail.ID: Sendable {
  /// This service for a caller that has completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)`` for what it promises.
  public var asClosure: some DetailClosureService<Detail> { ClosureDetails(base: self) }
}

private struct AsyncDetails<Base: DetailClosureService>: DetailService where Base.Detail.ID: Sendable {
  let base: Base

  func detail(of id: Base.Detail.ID) async throws -> Base.Detail {
    try await withCompletionHandler { base.detail(of: id, completion: $0) }
  }
}

private struct ClosureDetails<Base: DetailService>: DetailClosureService where Base.Detail.ID: Sendable {
  let base: Base

  func detail(
    of id: Base.Detail.ID, completion: @escaping @Sendable (Result<Base.Detail, any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion) { try await base.detail(of: id) }
  }
}
