package import Dispatch
import Foundation

extension VirtualClock {
  /// Enqueues `work` on `queue` when the time has advanced by `delay`, or at once if `delay` is not
  /// positive.
  ///
  /// - Returns: A function that cancels `work`.
  package func enqueue(
    after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let block = ScheduledBlock(queue: queue, work: work)
    let thread = ObjectIdentifier(Thread.current)
    let (id, overdue) = timeline.update { timeline in
      let id = timeline.newID()
      let deadline = timeline.origin(on: thread).advanced(by: delay)
      if deadline <= timeline.now { return (id, Optional(deadline)) }
      timeline.insert(VirtualTimeline.Entry(id: id, deadline: deadline, wakeUp: .block(block)))
      return (id, nil)
    }
    if let overdue { WakeUp.block(block).fire(at: overdue, on: self) }
    return { [weak self, weak block] in
      block?.cancel()
      withExtendedLifetime(self?.remove(id)) {}
    }
  }

  func run(_ block: ScheduledBlock, dueAt deadline: Instant) {
    let thread = ObjectIdentifier(Thread.current)
    timeline.update { $0.begin(blockDueAt: deadline, on: thread) }
    block.run()
    timeline.update { $0.endBlock(on: thread) }
  }
}
