/// Knows who is signed in.
public protocol ProfileService: Sendable {
  /// The profile of whoever is signed in.
  ///
  /// - Throws: `CancellationError` where the task was cancelled before the answer came; else what kept the
  ///   service from answering, as a rule a ``ServiceError``.
  func profile() async throws -> Profile
}
