public import AsyncViewModels

/// A service that returns a long list in pages.
public protocol PageService<Item>: Sendable {
  /// An element of the list.
  associatedtype Item: Sendable

  /// Loads the requested page. A request past the end gets an empty last page, not an error.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the response arrives. Otherwise the reason
  ///   that the service did not answer, usually a ``ServiceError``.
  func page(_ request: PageRequest) async throws -> Page<Item>
}

/// ``PageService`` with a completion handler.
public protocol PageClosureService<Item>: Sendable {
  /// An element of the list.
  associatedtype Item: Sendable

  /// Loads the requested page. A request past the end gets an empty last page, not an error.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation it gets an error that
  /// reports the cancellation, unless the response arrived first. Releasing the token cancels the request.
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Item>, any Error>) -> Void
  ) -> CancellationToken
}

extension PageClosureService {
  /// This service with async/await. See ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some PageService<Item> { AsyncPages(base: self) }
}

extension PageService {
  /// This service with completion handlers. See ``/AsyncViewModels/performAsync(completion:on:_:)``.
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
