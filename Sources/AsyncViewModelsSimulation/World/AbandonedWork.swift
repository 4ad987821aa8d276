import Synchronization

/// What failed runs with several threads leave behind, until the process ends.
///
/// A block that never runs may hold a semaphore that is in use. libdispatch ends the process if
/// such a semaphore is released.
///
/// `@unchecked Sendable`: nothing uses the members again.
final class AbandonedWork: @unchecked Sendable {
  private static let all = Mutex<[AbandonedWork]>([])

  private let core: SimulatedWorldCore?
  private let ready: [SimulatedWorldCore.ReadyJob]
  private let timers: [SimulatedWorldCore.Timer]
  private let queues: QueueRecords

  private init(_ core: SimulatedWorldCore) {
    self.core = core.isAbandoned ? core : nil
    ready = core.isAbandoned ? [] : core.ready
    timers = core.isAbandoned ? [] : core.timers
    queues = core.isAbandoned ? QueueRecords() : core.queues
  }

  static func keep(_ core: SimulatedWorldCore) {
    let work = AbandonedWork(core)
    all.withLock { $0.append(work) }
  }
}
