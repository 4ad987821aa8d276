import Domain
import Synchronization

/// The view models of a store, how many use each, and the graces that run. It outlives neither its store nor what ends on it:
/// leases and graces know it weakly.
final class ViewModelShelf<Identity: Hashable & Sendable, Model: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    /// Held here too, so that an entry that is taken out releases the table's own key after the unlock.
    let identity: Identity
    let model: Model
    var users = 1
    /// The grace that runs.
    var grace: Grace?
  }

  private struct Grace: Sendable {
    let number: UInt64
    let task: Task<Void, Never>
  }

  private struct Guarded: Sendable {
    var entries: [Identity: Entry] = [:]
    var leases = 0
    var inGrace = 0
    var graces: UInt64 = 0
  }

  private let guarded = Mutex(Guarded())
  private let grace: Duration
  private let clock: any Clock<Duration>

  init(grace: Duration, clock: any Clock<Duration>) {
    self.grace = grace
    self.clock = clock
  }

  var counts: ViewModelCounts {
    guarded.withLock {
      ViewModelCounts(inUse: $0.entries.count - $0.inGrace, inGrace: $0.inGrace, leases: $0.leases)
    }
  }

  /// One more user for what is there. It ends the grace.
  func lease(_ identity: Identity) -> ViewModelLease<Model>? {
    let found = guarded.withLock { shelf -> (Model, Grace?)? in
      guard var entry = shelf.entries[identity] else { return nil }
      let grace = entry.grace.take()
      if grace != nil { shelf.inGrace -= 1 }
      entry.users += 1
      shelf.leases += 1
      shelf.entries[identity] = entry
      return (entry.model, grace)
    }
    guard let (model, grace) = found else { return nil }
    grace?.task.cancel()
    return makeLease(model, identity)
  }

  /// The first user of a new view model.
  func insert(_ model: Model, for identity: Identity) -> ViewModelLease<Model> {
    guarded.withLock { shelf in
      shelf.entries[identity] = Entry(identity: identity, model: model)
      shelf.leases += 1
    }
    return makeLease(model, identity)
  }

  /// Ends every grace, and keeps nothing for anybody any more.
  func close() {
    let entries = guarded.withLock { shelf in
      shelf.inGrace = 0
      let entries = shelf.entries
      shelf.entries = [:]
      return entries
    }
    // In the order in which they began: that of a dictionary is another one each time.
    let graces = entries.values.compactMap(\.grace).sorted { $0.number < $1.number }
    for grace in graces { grace.task.cancel() }
  }

  private func makeLease(_ model: Model, _ identity: Identity) -> ViewModelLease<Model> {
    ViewModelLease(model) { [weak self] in self?.leave(identity) }
  }

  private func leave(_ identity: Identity) {
    let removed = guarded.withLock { shelf -> Entry? in
      shelf.leases -= 1
      guard var entry = shelf.entries[identity] else { return nil }
      entry.users -= 1
      if entry.users == 0 {
        guard grace > .zero else { return shelf.entries.removeValue(forKey: identity) }
        shelf.graces += 1
        shelf.inGrace += 1
        // Its task is made under the lock, so that nobody finds a grace without one. It runs elsewhere.
        entry.grace = Grace(number: shelf.graces, task: wait(identity, shelf.graces))
      }
      shelf.entries[identity] = entry
      return nil
    }
    // The view model is released after the unlock: its deinit can be any code.
    withExtendedLifetime(removed) {}
  }

  private func wait(_ identity: Identity, _ number: UInt64) -> Task<Void, Never> {
    let entry = CensusEntry(.task, "grace of a view model")
    return Task { [weak self, clock, grace] in
      defer { entry.end() }
      // A grace that was ended expires nothing: its number is not the current one.
      try? await clock.sleep(for: grace)
      self?.expire(identity, number)
    }
  }

  private func expire(_ identity: Identity, _ number: UInt64) {
    let expired = guarded.withLock { shelf -> Entry? in
      guard shelf.entries[identity]?.grace?.number == number else { return nil }
      shelf.inGrace -= 1
      return shelf.entries.removeValue(forKey: identity)
    }
    withExtendedLifetime(expired) {}
  }
}
