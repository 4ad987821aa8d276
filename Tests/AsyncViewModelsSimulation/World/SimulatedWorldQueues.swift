import AsyncViewModels

/// The world of this thread, as the module `SimulatedQueues` needs it: blocks of dispatch queues become jobs of the world.
package struct SimulatedWorldQueues {
  private let core: SimulatedWorldCore

  package static var current: SimulatedWorldQueues? { JobCapture.current.map(SimulatedWorldQueues.init) }

  private init(_ core: SimulatedWorldCore) { self.core = core }

  /// Makes `block` ready, after what is waiting on its queue already; on a concurrent queue, beside it.
  package func enqueue(_ block: @escaping () -> Void, on queue: DispatchQueueIdentity) {
    core.ready.append(job(block, queue))
  }

  package func enqueue(_ block: @escaping () -> Void, on queue: DispatchQueueIdentity, after delay: Duration)
  {
    core.insert(
      SimulatedWorldCore.Timer(due: core.due(after: delay), job: job(block, queue)))
  }

  /// Runs what is waiting on a queue, as it has to have run before somebody else's `sync`.
  package func flush(_ queue: DispatchQueueIdentity) {
    guard !queue.isConcurrent else { return }
    let lane = record(of: queue).lane
    while let index = core.ready.firstIndex(where: { $0.lane == lane }) {
      core.run(core.ready.remove(at: index))
    }
  }

  package func enter(_ group: UInt) {
    core.queues.groups[group, default: .init()].count += 1
  }

  package func leave(_ group: UInt) {
    core.queues.groups[group, default: .init()].count -= 1
    guard core.queues.groups[group]?.count == 0 else { return }
    for resume in core.queues.groups.removeValue(forKey: group)?.waiting ?? [] { resume() }
  }

  package func notify(_ group: UInt, _ work: @escaping () -> Void) {
    guard core.queues.groups[group] != nil else { return work() }
    core.queues.groups[group]?.waiting.append(work)
  }

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

/// A dispatch queue, as far as a world is concerned.
package struct DispatchQueueIdentity {
  let address: UInt
  let isConcurrent: Bool
  /// Whether it is the main actor's.
  let isMain: Bool
  let label: () -> String
  let retain: () -> Void
  let release: () -> Void

  package init(
    address: UInt, isConcurrent: Bool, isMain: Bool, label: @escaping () -> String,
    retain: @escaping () -> Void, release: @escaping () -> Void
  ) {
    self.address = address
    self.isConcurrent = isConcurrent
    self.isMain = isMain
    self.label = label
    self.retain = retain
    self.release = release
  }
}
