import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
@unsafe @preconcurrency import OpenCombine
import OpenCombineDispatch
import Synchronization

/// A scheduler of Combine on virtual time.
struct VirtualScheduler: Scheduler {
  typealias SchedulerTimeType = DispatchQueue.OCombine.SchedulerTimeType
  typealias SchedulerOptions = Never

  private let clock: VirtualClock
  private let queue = DispatchQueue(label: "VirtualScheduler")

  init(_ clock: VirtualClock) { self.clock = clock }

  var now: SchedulerTimeType {
    let elapsed = VirtualClock.Instant(offset: .zero).duration(to: clock.now)
    return SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1 + UInt64(elapsed / .nanoseconds(1))))
  }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    queue.async { action.run() }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) { preconditionFailure("no operator of the view models needs a timer that cannot be cancelled") }

  /// Calls `action` once: the operators that use this method cancel the schedule at its first call.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = Action(run: action)
    let delay = Duration.nanoseconds(now.distance(to: date).magnitude)
    let timer = clock.schedule(after: delay, on: queue) { action.run() }
    return AnyCancellable { timer.cancel() }
  }
}

/// `@unchecked Sendable`: the queue of the scheduler calls the action of an operator, which has its own lock.
private struct Action: @unchecked Sendable {
  let run: () -> Void
}
