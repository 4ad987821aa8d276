import AsyncViewModels

extension PageClosureService {
  /// This service for a caller that has async/await. See ``withCompletionHandler(_:)`` for what it promises.
  public var asAsync: some PageService<Item> { AsyncPages(base: self) }
}

extension PageService {
  /// This service for a caller that has completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)`` for what it promises.
  public var asClosure: some PageClosureService<Item> { ClosurePages(base: self) }
}

private struct AsyncPages<Base: PageClosureService>: PageService {
  let base: Base

  func page(_ request: PageRequest) async throws -> Page<Base.Item> {
    try await withCompletionHandler { base.page(request, completion: $0) }
  }
}

private struct ClosurePages<Base: PageService>: PageClosureService {
  let base: Base

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Base.Item>, any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion) { try await base.page(request) }
  }
}
