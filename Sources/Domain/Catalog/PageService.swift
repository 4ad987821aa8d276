public import AsyncViewModels

/// A service that returns a long list in pages.
///
/// A call of any async service throws the error of the request, usually a ``ServiceError``, or
/// `CancellationError` if the task is cancelled before the response arrives.
public protocol PageService<Item>: Sendable {
  /// An element of the list.
  associatedtype Item: Sendable

  /// Loads the requested page: first at ``PagePosition/start``, then at ``Page/next`` of the page
  /// before, which is a number or a cursor, as the service chooses. A number past the end of the
  /// list has an empty last page.
  ///
  /// - Throws: ``PageError/expired(_:)`` if the service does not know the cursor, or no longer
  ///   does.
  func page(_ request: PageRequest) async throws -> Page<Item>
}

/// The completion-handler form of ``PageService``.
///
/// A call of any completion-handler service calls `completion` exactly once, on any queue.
/// Cancelling or releasing the token cancels the request: `completion` then receives an error that
/// reports the cancellation, unless the response arrived first. To keep the token until the
/// response arrives, use ``/AsyncViewModels/runToCompletion(_:completion:)``.
public protocol PageClosureService<Item>: Sendable {
  /// An element of the list.
  associatedtype Item: Sendable

  /// Loads the requested page. See ``PageService/page(_:)``.
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Item>, any Error>) -> Void
  ) -> CancellationToken
}

extension PageClosureService {
  /// The async form of this service.
  public var asAsync: some PageService<Item> { AsyncPages(base: self) }
}

extension PageService {
  /// The completion-handler form of this service.
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
