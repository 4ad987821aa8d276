public import AsyncViewModels

/// A storage that keeps the unsaved text of the profile form on the device, so that it survives the end of the app.
public protocol ProfileDraftStorage: Sendable {
  /// Loads the newest draft.
  ///
  /// - Returns: The draft, or `nil` in ``StoredValue/value`` if no draft is stored.
  /// - Throws: ``StorageError``. `CancellationError` if the task is cancelled before the draft is loaded.
  func load() async throws -> StoredValue<SavedProfileDraft>

  /// Saves a draft, valid or not, and returns when this draft or a newer change survives a crash.
  ///
  /// - Throws: ``StorageError`` if neither this draft nor a newer change is saved. `CancellationError` if the task
  ///   is cancelled first. If the task was already cancelled before the call, the draft is not saved. In all other
  ///   cases, the cancellation ends only the wait.
  func save(_ draft: SavedProfileDraft) async throws

  /// Removes the draft, and returns when the removal or a newer change survives a crash.
  ///
  /// - Throws: The errors of ``save(_:)``.
  func clear() async throws
}

/// The completion-handler form of ``ProfileDraftStorage``.
public protocol ProfileDraftClosureStorage: Sendable {
  /// Loads the newest draft.
  ///
  /// Calls `completion` exactly once, on an unspecified queue, with the draft or a ``StorageError``. After a
  /// cancellation, `completion` receives an error that reports the cancellation, unless the result arrived first.
  /// Cancelling or releasing the token cancels the request.
  func load(
    completion: @escaping @Sendable (Result<StoredValue<SavedProfileDraft>, any Error>) -> Void
  ) -> CancellationToken

  /// Saves a draft, valid or not, and calls `completion` when this draft or a newer change survives a crash.
  ///
  /// Calls `completion` exactly once, on an unspecified queue. Fails with a ``StorageError`` if neither this draft
  /// nor a newer change is saved. Cancelling or releasing the token ends only the wait: `completion` receives an
  /// error that reports the cancellation, unless the result arrived first.
  func save(
    _ draft: SavedProfileDraft, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken

  /// Removes the draft. The guarantees are those of ``save(_:completion:)``.
  func clear(completion: @escaping @Sendable (Result<Void, any Error>) -> Void) -> CancellationToken
}

extension ProfileDraftClosureStorage {
  /// The async form of this storage. It calls the storage through
  /// ``/AsyncViewModels/withCompletionHandler(_:)``.
  public var asAsync: some ProfileDraftStorage { AsyncProfileDraftStorage(base: self) }
}

extension ProfileDraftStorage {
  /// The completion-handler form of this storage. It calls the storage through
  /// ``/AsyncViewModels/performAsync(completion:on:_:)``.
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
    performAsync(completion: completion) { try await base.load() }
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
