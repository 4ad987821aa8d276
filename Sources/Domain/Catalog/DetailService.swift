public import AsyncViewModels

/// A service that looks up one item by its id.
public protocol DetailService<Detail>: Sendable {
  /// An item with all its data.
  associatedtype Detail: Sendable & Identifiable

  /// Loads the item with this id.
  ///
  /// - Throws: ``ServiceError/notFound(_:)`` if there is no such item. The error names the item.
  ///   `CancellationError` if the task is cancelled before the response arrives. In all other cases, the error
  ///   of the request, usually a ``ServiceError``.
  func detail(of id: Detail.ID) async throws -> Detail
}

/// The completion-handler form of ``DetailService``.
public protocol DetailClosureService<Detail>: Sendable {
  /// An item with all its data.
  associatedtype Detail: Sendable & Identifiable

  /// Loads the item with this id. Fails with ``ServiceError/notFound(_:)`` if there is no such item. The error
  /// names the item.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. After a cancellation, `completion` receives an
  /// error that reports the cancellation, unless the response arrived first. Cancelling or releasing the token
  /// cancels the request.
  func detail(
    of id: Detail.ID, completion: @escaping @Sendable (Result<Detail, any Error>) -> Void
  ) -> CancellationToken
}

extension DetailClosureService where Detail.ID: Sendable {
  /// The async form of this service. It calls the service through
  /// ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some DetailService<Detail> { AsyncDetails(base: self) }
}

extension DetailService where Detail.ID: Sendable {
  /// The completion-handler form of this service. It calls the service through
  /// ``/AsyncViewModels/performAsync(completion:on:_:)``.
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
    performForAccount(completion: completion) { try await base.detail(of: id) }
  }
}
