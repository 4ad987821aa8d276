public import AsyncViewModels

/// A storage that keeps the unsaved text of the profile form on the device.
public protocol ProfileDraftStorage: Sendable {
  /// Loads the newest draft.
  ///
  /// - Throws: ``StorageError``. `CancellationError` if the task is cancelled first.
  func load() async throws -> StoredValue<SavedProfileDraft>

  /// Saves a draft, valid or not, and returns when this draft or a newer change survives a crash.
  ///
  /// - Throws: ``StorageError`` if neither is saved. `CancellationError` after a cancellation,
  ///   which ends only the wait. A task that is cancelled before the call saves nothing.
  func save(_ draft: SavedProfileDraft) async throws

  /// Removes the draft, with the guarantees of ``save(_:)``.
  func clear() async throws
}

/// The completion-handler form of ``ProfileDraftStorage``. See ``CartClosureStorage`` for the
/// calls.
public protocol ProfileDraftClosureStorage: Sendable {
  /// Loads the newest draft. Cancelling or releasing the token cancels the request.
  func load(
    completion: @escaping @Sendable (Result<StoredValue<SavedProfileDraft>, any Error>) -> Void
  ) -> CancellationToken

  /// Saves a draft. Cancelling or releasing the token ends only the wait.
  func save(
    _ draft: SavedProfileDraft, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken

  /// Removes the draft. Cancelling or releasing the token ends only the wait.
  func clear(completion: @escaping @Sendable (Result<Void, any Error>) -> Void) -> CancellationToken
}

extension ProfileDraftClosureStorage {
  /// The async form of this storage.
  public var asAsync: some ProfileDraftStorage { AsyncProfileDraftStorage(base: self) }
}

extension ProfileDraftStorage {
  /// The completion-handler form of this storage.
  public var asClosure: some ProfileDraftClosureStorage { ClosureProfileDraftStorage(base: self) }
}

private struct AsyncProfileDraftStorage<Base: ProfileDraftClosureStorage>: ProfileDraftStorage {
  let base: Base

  func load() async throws -> StoredValue<SavedProfileDraft> {
    try await withCompletionHandler { base.load(completion: $0) }
  }
  func save(_ draft: SavedProfileDraft) async throws {
    try await withCompletionHandler { base.save(draft, completion: $0) }
  }
  func clear() async throws {
    try await withCompletionHandler { base.clear(completion: $0) }
  }
}

private struct ClosureProfileDraftStorage<Base: ProfileDraftStorage>: ProfileDraftClosureStorage {
  let base: Base
  private let writes = SerialWrites()

  init(base: Base) { self.base = base }

  func load(
    completion: @escaping @Sendable (Result<StoredValue<SavedProfileDraft>, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { try await base.load() }
  }
  func save(
    _ draft: SavedProfileDraft, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    writes.perform({ try await base.save(draft) }, completion: completion)
  }
  func clear(completion: @escaping @Sendable (Result<Void, any Error>) -> Void) -> CancellationToken {
    writes.perform({ try await base.clear() }, completion: completion)
  }
}
