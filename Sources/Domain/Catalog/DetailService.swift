public import AsyncViewModels

/// A service that looks up one item by its id.
public protocol DetailService<Detail>: Sendable {
  /// An item with all its data.
  associatedtype Detail: Sendable & Identifiable

  /// Loads the item with this id.
  ///
  /// - Throws: ``ServiceError/notFound(_:)``, which names the item, if there is no such item.
  func detail(of id: Detail.ID) async throws -> Detail
}

/// The completion-handler form of ``DetailService``. See ``PageClosureService`` for the calls.
public protocol DetailClosureService<Detail>: Sendable {
  /// An item with all its data.
  associatedtype Detail: Sendable & Identifiable

  /// Loads the item with this id. See ``DetailService/detail(of:)``.
  func detail(
    of id: Detail.ID, completion: @escaping @Sendable (Result<Detail, any Error>) -> Void
  ) -> CancellationToken
}

extension DetailClosureService where Detail.ID: Sendable {
  /// The async form of this service.
  public var asAsync: some DetailService<Detail> { AsyncDetails(base: self) }
}

extension DetailService where Detail.ID: Sendable {
  /// The completion-handler form of this service.
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
