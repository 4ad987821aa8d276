/// Knows everything about one thing, by its id.
public protocol DetailService<Detail>: Sendable {
  associatedtype Detail: Sendable & Identifiable

  /// The item with this id.
  ///
  /// - Throws: ``ServiceError/notFound(_:)`` with the name of what there is not; `CancellationError` where the task was
  ///   cancelled before the answer came; else what kept the service from answering, as a rule a ``ServiceError``.
  func detail(of id: Detail.ID) async throws -> Detail
}
