public import AsyncViewModelsGCD
public import Dispatch
import Foundation

extension VirtualClock: CallbackScheduler {
  /// Enqueues `work` on `queue` when the time has advanced by `delay`, or at once if `delay` is not positive.
  ///
  /// Within a scheduled block, `delay` counts from the deadline of that block, as if the block ran exactly
  /// when it was due. So a block that schedules the next block keeps its interval, even if one
  /// ``advance(by:)`` covers several intervals.
  ///
  /// - Returns: A token that cancels `work`. Releasing the token also cancels `work`.
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
