import Synchronization

/// The view models of a store. Each view model has leases or a running retention.
///
/// The retention is the time for which the store keeps a view model after its last lease has ended.
///
/// Only the store keeps the cache alive: leases and retention tasks reference the cache weakly.
final class ViewModelCache<Identity: Hashable & Sendable, Model: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    /// A copy of the dictionary key, so that the key of a removed entry is released after the unlock.
    let identity: Identity
    let model: Model
    var leases = 1
    /// The running retention, or `nil` while there are leases.
    var retention: Retention?
  }

  private struct Retention: Sendable {
    let number: UInt64
    let task: Task<Void, Never>
  }

  private struct Guarded: Sendable {
    var entries: [Identity: Entry] = [:]
    var leases = 0
    var retained = 0
    var retentions: UInt64 = 0
  }

  private let guarded = Mutex(Guarded())
  private let retention: Duration
  private let clock: any Clock<Duration>

  init(retention: Duration, clock: any Clock<Duration>) {
    self.retention = retention
    self.clock = clock
  }

  var counts: ViewModelCounts {
    guarded.withLock {
      ViewModelCounts(inUse: $0.entries.count - $0.retained, retained: $0.retained, leases: $0.leases)
    }
  }

  /// Returns a new lease of a view model and ends the view model's retention. Returns `nil` if the cache has no
  /// view model for `identity`.
  func lease(_ identity: Identity) -> ViewModelLease<Model>? {
    let found = guarded.withLock { cache -> (Model, Retention?)? in
      guard var entry = cache.entries[identity] else { return nil }
      let retention = entry.retention.take()
      if retention != nil { cache.retained -= 1 }
      entry.leases += 1
      cache.leases += 1
      cache.entries[identity] = entry
      return (entry.model, retention)
    }
    guard let (model, retention) = found else { return nil }
    retention?.task.cancel()
    return makeLease(model, identity)
  }

  /// Stores a new view model and returns its first lease.
  func insert(_ model: Model, for identity: Identity) -> ViewModelLease<Model> {
    guarded.withLock { cache in
      cache.entries[identity] = Entry(identity: identity, model: model)
      cache.leases += 1
    }
    return makeLease(model, identity)
  }

  /// Ends every retention and releases all view models.
  func close() {
    let entries = guarded.withLock { cache in
      cache.retained = 0
      let entries = cache.entries
      cache.entries = [:]
      return entries
    }
    // Cancelled in the order in which they began, because the order of a dictionary changes from run to run.
    let retentions = entries.values.compactMap(\.retention).sorted { $0.number < $1.number }
    for retention in retentions { retention.task.cancel() }
  }

  private func makeLease(_ model: Model, _ identity: Identity) -> ViewModelLease<Model> {
    ViewModelLease(model) { [weak self] in self?.endLease(identity) }
  }

  private func endLease(_ identity: Identity) {
    let removed = guarded.withLock { cache -> Entry? in
      cache.leases -= 1
      guard var entry = cache.entries[identity] else { return nil }
      entry.leases -= 1
      if entry.leases == 0 {
        guard retention > .zero else { return cache.entries.removeValue(forKey: identity) }
        cache.retentions += 1
        cache.retained += 1
        // Created under the lock, so that there is no retention without a task. The task runs without the lock.
        let task = retentionTask(identity, cache.retentions)
        entry.retention = Retention(number: cache.retentions, task: task)
      }
      cache.entries[identity] = entry
      return nil
    }
    // The view model is released after the unlock: its deinit can run any code.
    withExtendedLifetime(removed) {}
  }

  private func retentionTask(_ identity: Identity, _ number: UInt64) -> Task<Void, Never> {
    let liveObject = LiveObjectToken(.task, "retention of a view model")
    return Task { [weak self, clock, retention] in
      defer { liveObject.end() }
      // After a cancellation, `expire` removes nothing: the number is no longer that of the current retention.
      try? await clock.sleep(for: min(retention, .longestDelay))
      self?.expire(identity, number)
    }
  }

  private func expire(_ identity: Identity, _ number: UInt64) {
    let expired = guarded.withLock { cache -> Entry? in
      guard cache.entries[identity]?.retention?.number == number else { return nil }
      cache.retained -= 1
      return cache.entries.removeValue(forKey: identity)
    }
    withExtendedLifetime(expired) {}
  }
}
