import AsyncViewModels
import StorefrontDomain
import Synchronization

/// Saves the newest cart after each change: one save at a time, and one more for all changes during a save.
///
/// A save is never cancelled, and keeps the state alive, but not the view model.
final class CartSaver: Sendable {
  private struct Progress {
    /// Whether a save is running, or its result is being reported.
    var isSaving = false
    /// Whether the cart has changed since the running save began.
    var isOutdated = false
    var hasFailed = false
  }

  private let storage: any CartClosureStorage
  private let newest: @Sendable () -> SavedCart
  private let report: @Sendable (Result<Void, any Error>) -> Void
  private let progress = Mutex(Progress())

  /// - Parameters:
  ///   - newest: Returns the cart to save. Called on any thread.
  ///   - report: Receives, on any thread, the result of each save that fails, and of the first that succeeds after that.
  init(
    storage: any CartClosureStorage, newest: @escaping @Sendable () -> SavedCart,
    report: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    self.storage = storage
    self.newest = newest
    self.report = report
  }

  /// Saves the newest cart now, or after the save in progress. Call this method after each change.
  func save() {
    let isIdle = progress.withLock { progress in
      defer { (progress.isSaving, progress.isOutdated) = (true, progress.isSaving) }
      return !progress.isSaving
    }
    if isIdle { start() }
  }

  private func start() {
    runToCompletion {
      storage.save(newest(), completion: $0)
    } completion: { [self] result in
      end(result)
    }
  }

  private func end(_ result: Result<Void, any Error>) {
    let hasFailed = if case .failure = result { true } else { false }
    let isReported = progress.withLock { progress in
      defer { progress.hasFailed = hasFailed }
      return hasFailed || progress.hasFailed
    }
    // Before the next save can begin, so that the results are reported in the order of the saves.
    if isReported { report(result) }
    let isOutdated = progress.withLock { progress in
      defer { (progress.isSaving, progress.isOutdated) = (progress.isOutdated, false) }
      return progress.isOutdated
    }
    if isOutdated { start() }
  }
}
