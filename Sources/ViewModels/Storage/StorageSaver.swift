import AsyncViewModelsGCD
import StorefrontDomain
import Synchronization

/// Saves the newest value after each change: one save at a time, and one for all changes during it.
///
/// Skips a stored value. A save is never cancelled, and does not retain the view model.
final class StorageSaver<Value: Equatable & Sendable>: Sendable {
  private struct Progress {
    /// The value in the storage, or `nil` if it is not known.
    var stored: Value?
    /// Whether a save is running, or its result is being reported.
    var isSaving = false
    /// Whether the call that starts a write has not returned.
    var isStarting = false
    /// The result of a write that ended before the call that started it returned.
    var earlyResult: Result<Void, any Error>?
    /// Whether the value has changed since the running save began.
    var isOutdated = false
    /// The error of the last save, or `nil` if it succeeded.
    var failure: (any Error)?
    var waiting: [Completion] = []
    /// The error of all calls of `save` since the saver was closed.
    var closingError: (any Error)?
  }

  typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let newest: @Sendable () -> Value
  private let write: @Sendable (Value, @escaping Completion) -> CancellationToken
  private let report: Completion
  private let progress: Mutex<Progress>

  /// - Parameters:
  ///   - store: The store of the state to save. Records, on any thread, each failure, and the first
  ///     success after it.
  ///   - stored: The value in the storage, or `nil` if it is not known.
  ///   - write: Starts a save, on any thread.
  init<Store: UpdatableStore>(
    of store: Store, stored: Value?,
    write: @escaping @Sendable (Value, @escaping Completion) -> CancellationToken
  ) where Store.Value: StoredState, Store.Value.Saved == Value {
    progress = Mutex(Progress(stored: stored))
    newest = { store.value.saved }
    self.write = write
    report = { result in store.update { $0.recordWrite(result) } }
  }

  /// Saves the newest value now, or after the save in progress. A ``SavedStore`` calls this method
  /// after each update.
  ///
  /// - Parameter completion: Called once, on any thread, when no further save is due.
  func save(completion: Completion? = nil) {
    let (isIdle, error) = progress.withLock { progress -> (Bool, (any Error)?) in
      if let error = progress.closingError { return (false, error) }
      if let completion { progress.waiting.append(completion) }
      defer { (progress.isSaving, progress.isOutdated) = (true, progress.isSaving) }
      return (!progress.isSaving, nil)
    }
    if let error { completion?(.failure(error)) }
    if isIdle { start() }
  }

  /// Saves the newest value. Returns when no further save is due, even if cancelled.
  func flush() async throws {
    try await withCheckedThrowingContinuation { caller in save { caller.resume(with: $0) } }
  }

  /// Ends all saves for good, except the one in progress. All callers of a save receive `error`.
  ///
  /// - Parameter completion: Called once, on any thread, when no save is in progress.
  func close(throwing error: any Error, completion: @escaping @Sendable () -> Void) {
    let (isIdle, waiting) = progress.withLock { progress in
      // After the first call, only calls of this method wait.
      var waiting: [Completion] = []
      if progress.closingError == nil {
        progress.closingError = error
        waiting = exchange(&progress.waiting, with: [])
      }
      progress.isOutdated = false
      if progress.isSaving { progress.waiting.append { _ in completion() } }
      return (!progress.isSaving, waiting)
    }
    for completion in waiting { completion(.failure(error)) }
    if isIdle { completion() }
  }

  /// Ends all saves for good. Returns when none is in progress, even if cancelled.
  func close(throwing error: any Error) async {
    await withCheckedContinuation { caller in close(throwing: error) { caller.resume() } }
  }

  /// Saves while a save is due. Returns once a write takes longer than its start.
  private func start() {
    // A loop, because a storage can complete each write before the call that starts it returns.
    repeat {
      let value = newest()
      let stored = progress.withLock(\.stored)
      if stored != value, !hasWritten(value) { return }
    } while endSave()
  }

  /// Starts to write a value. Returns whether the write has ended already.
  private func hasWritten(_ value: Value) -> Bool {
    progress.withLock { $0.isStarting = true }
    runToCompletion {
      write(value, $0)
    } completion: { [self] result in
      let isStarting = progress.withLock { progress in
        if progress.isStarting { progress.earlyResult = result }
        return progress.isStarting
      }
      guard !isStarting else { return }
      record(value, result)
      if endSave() { start() }
    }
    let result = progress.withLock { progress in
      progress.isStarting = false
      return progress.earlyResult.take()
    }
    guard let result else { return false }
    record(value, result)
    return true
  }

  private func record(_ value: Value, _ result: Result<Void, any Error>) {
    let failure: (any Error)? = if case .failure(let error) = result { error } else { nil }
    let earlierFailure = progress.withLock { progress in
      progress.stored = failure == nil ? value : nil
      return exchange(&progress.failure, with: failure)
    }
    // Before the next save begins, so that the results are reported in order.
    if failure != nil || earlierFailure != nil { report(result) }
  }

  /// Ends a save, and calls the completions unless a further save is due, which it returns.
  private func endSave() -> Bool {
    let (isOutdated, failure, waiting) = progress.withLock { progress in
      defer { (progress.isSaving, progress.isOutdated) = (progress.isOutdated, false) }
      let waiting = progress.isOutdated ? [] : exchange(&progress.waiting, with: [])
      return (progress.isOutdated, progress.failure, waiting)
    }
    for completion in waiting { completion(failure.map { .failure($0) } ?? .success(())) }
    return isOutdated
  }
}
