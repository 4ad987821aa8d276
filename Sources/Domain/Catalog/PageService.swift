/// Hands out a long list page by page.
public protocol PageService<Item>: Sendable {
  associatedtype Item: Sendable

  /// The page that `request` asks for; past the end an empty last page, which is no error.
  ///
  /// - Throws: `CancellationError` where the task was cancelled before the answer came; else what kept the
  ///   service from answering, as a rule a ``ServiceError``.
  func page(_ request: PageRequest) async throws -> Page<Item>
}
