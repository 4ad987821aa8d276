public import AsyncViewModels
public import Dispatch
import Foundation

extension VirtualClock: CallbackScheduler {
  /// Runs `work` on `queue` when time has been moved on by `delay`; at once where `delay` is not positive.
  ///
  /// Within a scheduled block, `delay` counts from that block's own deadline, as if the block had run the moment it
  /// was due. A block that schedules the next one thus keeps its rhythm even where one ``advance(by:)`` covers several
  /// of them.
  public func schedule(
    after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) -> CancellationToken {
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
    return CancellationToken { [weak self, weak block] in
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
