import AsyncViewModels
import AsyncViewModelsRequests
import Synchronization

/// The view models of a ``ViewModelStore``. Each view model has leases or a running retention.
///
/// The retention is the time for which the store keeps a view model after its last lease has ended.
///
/// Only the store keeps the cache alive: leases and retention tasks reference the cache weakly.
final class ViewModelCache<Identity: Hashable & Sendable, Model: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    let model: Model
    var leases = 1
    /// The running retention, or `nil` while there are leases.
    var retention: Retention?
  }

  private struct Retention: Sendable {
    let number: UInt64
    let task: Task<Void, Never>
  }

  private let models = KeyedTable<Identity, Entry>()
  private let retentions = Atomic<UInt64>(0)
  private let retention: Duration
  private let clock: any Clock<Duration>
  private let recordedObject = FlightEvents.object(.storeCreated, of: Model.self)

  init(retention: Duration, clock: any Clock<Duration>) {
    self.retention = retention
    self.clock = clock
  }

  /// The numbers of view models and leases.
  ///
  /// - Complexity: O(view models).
  var counts: ViewModelCounts {
    models.withLock { table in
      table.rows.values.reduce(into: ViewModelCounts()) { counts, row in
        counts.leases += row.entry.leases
        if row.entry.retention == nil { counts.inUse += 1 } else { counts.retained += 1 }
      }
    }
  }

  /// The place of code that leases a view model, for the recorder.
  func holder(_ file: StaticString, _ line: UInt) -> FlightEvents.Place {
    FlightEvents.place(for: recordedObject, file, line)
  }

  /// Returns a new lease of a view model and ends the view model's retention. Returns `nil` if the
  /// cache has no view model for `identity`.
  func lease(_ identity: Identity, _ holder: FlightEvents.Place = 0) -> ViewModelLease<Model>? {
    let found = models.withLock(for: .init(identity)) { table, number -> (UInt64, Model, Retention?)? in
      guard let number, var entry = table.rows[number]?.entry else { return nil }
      let retention = entry.retention.take()
      entry.leases += 1
      table.rows[number]?.entry = entry
      return (number, entry.model, retention)
    }
    guard let (number, model, retention) = found else { return nil }
    retention?.task.cancel()
    return makeLease(model, number, holder)
  }

  /// Stores a new view model and returns its first lease.
  ///
  /// - Precondition: The cache has no view model for `identity`.
  func insert(
    _ model: Model, for identity: Identity, _ holder: FlightEvents.Place = 0
  ) -> ViewModelLease<Model> {
    let identity = KeyedTable<Identity, Entry>.HashedKey(identity)
    let number = models.withLock { $0.insert(identity) { _ in Entry(model: model) } }
    note(.modelMade, number)
    return makeLease(model, number, holder)
  }

  /// Ends every retention and releases all view models.
  func close() {
    let rows = models.withLock { $0.removeAll() }
    note(.storeClosed, UInt64(rows.count))
    // Cancelled in the order in which they began, because the order of a dictionary changes from
    // run to run.
    let retentions = rows.compactMap(\.entry.retention).sorted { $0.number < $1.number }
    for retention in retentions { retention.task.cancel() }
  }

  private func makeLease(
    _ model: Model, _ number: UInt64, _ holder: FlightEvents.Place
  ) -> ViewModelLease<Model> {
    note(.leaseBegan, number, holder)
    return ViewModelLease(model) { [weak self] in self?.endLease(number, holder) }
  }

  private func note(_ event: RecordedEvent, _ number: UInt64, _ holder: FlightEvents.Place = 0) {
    FlightEvents.note(event, recordedObject, UInt64(holder) << 32 | number & 0xFFFF_FFFF)
  }

  private func endLease(_ number: UInt64, _ holder: FlightEvents.Place) {
    models.withLock { table -> KeyedTable<Identity, Entry>.Row? in
      guard var entry = table.rows[number]?.entry else { return nil }
      entry.leases -= 1
      note(.leaseEnded, number, holder)
      if entry.leases == 0 {
        guard retention > .zero else {
          note(.modelReleased, number)
          return table.remove(number)
        }
        // Created under the lock, so that there is no retention without a task. The task runs
        // without the lock.
        let retention = retentions.wrappingAdd(1, ordering: .relaxed).newValue
        entry.retention = Retention(number: retention, task: retentionTask(number, retention))
      }
      table.rows[number]?.entry = entry
      return nil
    }
  }

  private func retentionTask(_ model: UInt64, _ number: UInt64) -> Task<Void, Never> {
    let liveObject = LiveObjectToken(.task, "retention of a view model")
    return Task { [weak self, clock, retention] in
      defer { liveObject.end() }
      // After a cancellation, `expire` removes nothing, because no view model still has this
      // retention.
      try? await clock.sleep(for: min(retention, .longestDelay))
      self?.expire(model, number)
    }
  }

  private func expire(_ model: UInt64, _ number: UInt64) {
    models.withLock { table -> KeyedTable<Identity, Entry>.Row? in
      guard table.rows[model]?.entry.retention?.number == number else { return nil }
      note(.modelReleased, model)
      return table.remove(model)
    }
  }
}
