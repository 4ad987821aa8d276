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
    /// The error of the last save, or `nil` if it succeeded.
    var failure: (any Error)?
    /// Called when no further save is due.
    var waiting: [Completion] = []
  }

  typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let newest: @Sendable () -> Value
  private let write: @Sendable (Value, @escaping Completion) -> CancellationToken
  private let report: Completion
  private let progress: Mutex<Progress>

  /// - Parameters:
  ///   - stored: The value in the storage, or `nil` if it is not known.
  ///   - newest: Returns the value to save. Called on any thread.
  ///   - write: Starts a save. Called on any thread.
  ///   - report: Receives, on any thread, the result of each save that fails, and of the first that succeeds after that.
  init(
    stored: Value?, newest: @escaping @Sendable () -> Value,
    write: @escaping @Sendable (Value, @escaping Completion) -> CancellationToken,
    report: @escaping Completion
  ) {
    progress = Mutex(Progress(stored: stored))
    self.newest = newest
    self.write = write
    self.report = report
  }

  /// Saves the newest value now, or after the save in progress. Call this method after each change.
  ///
  /// - Parameter completion: Called once, on any thread, when no further save is due: when the newest value is stored, or with the
  ///   error of its save.
  func save(completion: Completion? = nil) {
    let isIdle = progress.withLock { progress in
      if let completion { progress.waiting.append(completion) }
      defer { (progress.isSaving, progress.isOutdated) = (true, progress.isSaving) }
      return !progress.isSaving
    }
    if isIdle { start() }
  }

  /// Saves the newest value, and returns when no further save is due. A cancelled caller also waits.
  ///
  /// - Throws: The error of the save.
  func flush() async throws {
    try await withCheckedThrowingContinuation { caller in save { caller.resume(with: $0) } }
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
    let failure: (any Error)? = if case .failure(let error) = result { error } else { nil }
    let earlierFailure = progress.withLock { progress in
      progress.stored = failure == nil ? value : nil
      return exchange(&progress.failure, with: failure)
    }
    // Before the next save can begin, so that the results are reported in the order of the saves.
    if failure != nil || earlierFailure != nil { report(result) }
    startNext()
  }

  private func startNext() {
    let (isOutdated, failure, waiting) = progress.withLock { progress in
      defer { (progress.isSaving, progress.isOutdated) = (progress.isOutdated, false) }
      let waiting = progress.isOutdated ? [] : exchange(&progress.waiting, with: [])
      return (progress.isOutdated, progress.failure, waiting)
    }
    if isOutdated { start() }
    for completion in waiting { completion(failure.map { .failure($0) } ?? .success(())) }
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
