import AsyncViewModels

/// The interface of a world for the module `SimulatedQueues`, which turns blocks of dispatch queues into
/// jobs.
package struct SimulatedWorldQueues {
  private let core: SimulatedWorldCore

  /// The interface of the world that this thread runs. Nil if there is none, or if its queues are real.
  package static var current: SimulatedWorldQueues? {
    guard let core = JobCapture.current, core.queueScheduling.isSimulated else { return nil }
    return SimulatedWorldQueues(core)
  }

  private init(_ core: SimulatedWorldCore) { self.core = core }

  /// Adds a ready block. A serial queue runs it after the blocks that are already waiting. A concurrent queue
  /// runs its blocks in any order.
  package func enqueue(_ block: @escaping () -> Void, on queue: DispatchQueueIdentity) {
    core.ready.append(job(block, queue))
  }

  /// Adds a block that becomes ready once the virtual time has advanced by `delay`.
  package func enqueue(_ block: @escaping () -> Void, on queue: DispatchQueueIdentity, after delay: Duration)
  {
    core.insert(
      SimulatedWorldCore.Timer(due: core.due(after: delay), job: job(block, queue)))
  }

  /// Runs all waiting blocks of a serial queue. Call it before you run the block of a `sync`.
  package func flush(_ queue: DispatchQueueIdentity) {
    guard !queue.isConcurrent else { return }
    let lane = record(of: queue).lane
    while let index = core.ready.firstIndex(where: { $0.lane == lane }) {
      core.run(core.ready.remove(at: index))
    }
  }

  /// Adds an entry to a dispatch group.
  package func enter(_ group: UInt) {
    core.queues.groups[group, default: .init()].count += 1
  }

  /// Removes an entry from a dispatch group. If the group is then empty, runs the work passed to `notify`.
  package func leave(_ group: UInt) {
    core.queues.groups[group, default: .init()].count -= 1
    guard core.queues.groups[group]?.count == 0 else { return }
    for resume in core.queues.groups.removeValue(forKey: group)?.waiting ?? [] { resume() }
  }

  /// Runs `work` once the dispatch group is empty, or immediately if it already is.
  package func notify(_ group: UInt, _ work: @escaping () -> Void) {
    guard core.queues.groups[group] != nil else { return work() }
    core.queues.groups[group]?.waiting.append(work)
  }

  /// Fails the run, because the running task uses a queue whose blocks run outside the world.
  package func markLeft() { core.leave(.leftTheWorld(core.name(of: core.running))) }

  private func job(
    _ block: @escaping () -> Void, _ queue: DispatchQueueIdentity
  ) -> SimulatedWorldCore.ReadyJob {
    let record = record(of: queue)
    return SimulatedWorldCore.ReadyJob(
      work: .block(block), task: record.task, lane: queue.isConcurrent ? 0 : record.lane,
      resumesContinuation: false)
  }

  private func record(of queue: DispatchQueueIdentity) -> QueueRecords.Queue {
    if let known = core.queues.queues[queue.address] { return known }
    let lane = queue.isMain ? core.mainExecutor.lane : core.makeLane()
    let record = QueueRecords.Queue(
      lane: lane, task: core.number(ofQueue: queue.label()), release: queue.release)
    queue.retain()
    core.queues.queues[queue.address] = record
    return record
  }
}

/// A reference to a dispatch queue, with the operations that the simulated world needs.
package struct DispatchQueueIdentity {
  let address: UInt
  let isConcurrent: Bool
  /// Whether this is the main queue.
  let isMain: Bool
  /// Whether this is a queue of a `URLSession`.
  package let belongsToURLSession: Bool
  let label: () -> String
  let retain: () -> Void
  let release: () -> Void

  /// Creates a reference to a queue.
  package init(
    address: UInt, isConcurrent: Bool, isMain: Bool, belongsToURLSession: Bool,
    label: @escaping () -> String, retain: @escaping () -> Void, release: @escaping () -> Void
  ) {
    self.address = address
    self.isConcurrent = isConcurrent
    self.isMain = isMain
    self.belongsToURLSession = belongsToURLSession
    self.label = label
    self.retain = retain
    self.release = release
  }
}
