public import AsyncViewModels

/// A service that returns a long list in pages.
public protocol PageService<Item>: Sendable {
  /// An element of the list.
  associatedtype Item: Sendable

  /// Loads the requested page. The first request has the position ``PagePosition/start``. Each further request has the position
  /// that the page before contains in ``Page/next``: a number or a cursor, as the service chooses. The result of a request for a
  /// number past the end of the list is an empty last page, not an error.
  ///
  /// - Throws: ``PageError/expired(_:)`` if the service does not know the cursor or no longer knows it.
  ///   `CancellationError` if the task is cancelled before the response arrives. In all other cases, the error of the request,
  ///   usually a ``ServiceError``.
  func page(_ request: PageRequest) async throws -> Page<Item>
}

/// The completion-handler form of ``PageService``.
public protocol PageClosureService<Item>: Sendable {
  /// An element of the list.
  associatedtype Item: Sendable

  /// Loads the requested page. The first request has the position ``PagePosition/start``. Each further request has the position
  /// that the page before contains in ``Page/next``: a number or a cursor, as the service chooses. The result of a request for a
  /// number past the end of the list is an empty last page, not an error. The request fails with ``PageError/expired(_:)`` if the
  /// service does not know the cursor or no longer knows it.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion` receives an
  /// error that reports the cancellation, unless the response arrived first. Cancelling or releasing the token
  /// cancels the request.
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Item>, any Error>) -> Void
  ) -> CancellationToken
}

extension PageClosureService {
  /// The async form of this service. It calls the service through
  /// ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some PageService<Item> { AsyncPages(base: self) }
}

extension PageService {
  /// The completion-handler form of this service. It calls the service through
  /// ``/AsyncViewModels/performAsync(completion:on:_:)``.
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
    performForAccount(completion: completion) { try await base.page(request) }
  }
}
