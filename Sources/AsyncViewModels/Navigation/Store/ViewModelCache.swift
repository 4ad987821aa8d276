import Synchronization

/// The view models of a store, how many use each, and the graces that run. It outlives neither its store nor what ends on it:
/// leases and graces know it weakly.
final class ViewModelCache<Identity: Hashable & Sendable, Model: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    /// Held here too, so that an entry that is taken out releases the table's own key after the unlock.
    let identity: Identity
    let model: Model
    var users = 1
    /// The grace that runs.
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

  /// One more user for what is there. It ends the grace.
  func lease(_ identity: Identity) -> ViewModelLease<Model>? {
    let found = guarded.withLock { cache -> (Model, Retention?)? in
      guard var entry = cache.entries[identity] else { return nil }
      let retention = entry.retention.take()
      if retention != nil { cache.retained -= 1 }
      entry.users += 1
      cache.leases += 1
      cache.entries[identity] = entry
      return (entry.model, retention)
    }
    guard let (model, retention) = found else { return nil }
    retention?.task.cancel()
    return makeLease(model, identity)
  }

  /// The first user of a new view model.
  func insert(_ model: Model, for identity: Identity) -> ViewModelLease<Model> {
    guarded.withLock { cache in
      cache.entries[identity] = Entry(identity: identity, model: model)
      cache.leases += 1
    }
    return makeLease(model, identity)
  }

  /// Ends every grace, and keeps nothing for anybody any more.
  func close() {
    let entries = guarded.withLock { cache in
      cache.retained = 0
      let entries = cache.entries
      cache.entries = [:]
      return entries
    }
    // In the order in which they began: that of a dictionary is another one each time.
    let retentions = entries.values.compactMap(\.retention).sorted { $0.number < $1.number }
    for retention in retentions { retention.task.cancel() }
  }

  private func makeLease(_ model: Model, _ identity: Identity) -> ViewModelLease<Model> {
    ViewModelLease(model) { [weak self] in self?.leave(identity) }
  }

  private func leave(_ identity: Identity) {
    let removed = guarded.withLock { cache -> Entry? in
      cache.leases -= 1
      guard var entry = cache.entries[identity] else { return nil }
      entry.users -= 1
      if entry.users == 0 {
        guard retention > .zero else { return cache.entries.removeValue(forKey: identity) }
        cache.retentions += 1
        cache.retained += 1
        // Its task is made under the lock, so that nobody finds a grace without one. It runs elsewhere.
        entry.retention = Retention(number: cache.retentions, task: wait(identity, cache.retentions))
      }
      cache.entries[identity] = entry
      return nil
    }
    // The view model is released after the unlock: its deinit can be any code.
    withExtendedLifetime(removed) {}
  }

  private func wait(_ identity: Identity, _ number: UInt64) -> Task<Void, Never> {
    let entry = LiveObjectToken(.task, "grace of a view model")
    return Task { [weak self, clock, retention] in
      defer { entry.end() }
      // A grace that was ended expires nothing: its number is not the current one.
      try? await clock.sleep(for: retention)
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
