import AsyncViewModels
import StorefrontDomain
import Synchronization

/// Saves the newest value after each change: one save at a time, and one more for all changes during a save.
///
/// A value that is already stored is not saved again. A save is never cancelled, and keeps the state alive, but not the view model.
final class StorageSaver<Value: Equatable & Sendable>: Sendable {
  private struct Progress {
    /// The value in the storage, or `nil` if it is not known.
    var stored: Value?
    /// Whether a save is running, or its result is being reported.
    var isSaving = false
    /// Whether the value has changed since the running save began.
    var isOutdated = false
    var hasFailed = false
  }

  private let newest: @Sendable () -> Value
  private let write:
    @Sendable (Value, @escaping @Sendable (Result<Void, any Error>) -> Void) -> CancellationToken
  private let report: @Sendable (Result<Void, any Error>) -> Void
  private let progress: Mutex<Progress>

  /// - Parameters:
  ///   - stored: The value in the storage, or `nil` if it is not known.
  ///   - newest: Returns the value to save. Called on any thread.
  ///   - write: Starts a save. Called on any thread.
  ///   - report: Receives, on any thread, the result of each save that fails, and of the first that succeeds after that.
  init(
    stored: Value?, newest: @escaping @Sendable () -> Value,
    write:
      @escaping @Sendable (Value, @escaping @Sendable (Result<Void, any Error>) -> Void) ->
      CancellationToken,
    report: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    progress = Mutex(Progress(stored: stored))
    self.newest = newest
    self.write = write
    self.report = report
  }

  /// Saves the newest value now, or after the save in progress. Call this method after each change.
  func save() {
    let isIdle = progress.withLock { progress in
      defer { (progress.isSaving, progress.isOutdated) = (true, progress.isSaving) }
      return !progress.isSaving
    }
    if isIdle { start() }
  }

  private func start() {
    let value = newest()
    let stored = progress.withLock(\.stored)
    guard stored != value else { return startNext() }
    runToCompletion {
      write(value, $0)
    } completion: { [self] result in
      end(value, result)
    }
  }

  private func end(_ value: Value, _ result: Result<Void, any Error>) {
    let hasFailed = if case .failure = result { true } else { false }
    let isReported = progress.withLock { progress in
      progress.stored = hasFailed ? nil : value
      defer { progress.hasFailed = hasFailed }
      return hasFailed || progress.hasFailed
    }
    // Before the next save can begin, so that the results are reported in the order of the saves.
    if isReported { report(result) }
    startNext()
  }

  private func startNext() {
    let isOutdated = progress.withLock { progress in
      defer { (progress.isSaving, progress.isOutdated) = (progress.isOutdated, false) }
      return progress.isOutdated
    }
    if isOutdated { start() }
  }
}

extension StorageSaver<SavedCart> {
  /// Saves a cart. The contents of the storage are not known.
  convenience init(
    _ storage: any CartClosureStorage, newest: @escaping @Sendable () -> SavedCart,
    report: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    self.init(stored: nil, newest: newest, write: { storage.save($0, completion: $1) }, report: report)
  }
}

extension StorageSaver<SavedProfileDraft?> {
  /// Saves a draft. `nil` removes the draft of the storage, which contains `stored`.
  convenience init(
    _ storage: any ProfileDraftClosureStorage, containing stored: SavedProfileDraft?,
    newest: @escaping @Sendable () -> SavedProfileDraft?,
    report: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    self.init(
      stored: .some(stored), newest: newest,
      write: { draft, completion in
        guard let draft else { return storage.clear(completion: completion) }
        return storage.save(draft, completion: completion)
      }, report: report)
  }
}
