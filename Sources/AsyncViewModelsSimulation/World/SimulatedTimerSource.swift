/// A timer source of libdispatch in a simulated world.
package final class SimulatedTimerSource {
  private unowned let core: SimulatedWorldCore
  private let queue: SimulatedQueue
  private let isSuspended: () -> Bool
  private let isCancelled: () -> Bool
  /// The number of references that the app holds.
  package var references = 1

  package var eventHandler: (() -> Void)?
  package var cancelHandler: (() -> Void)?
  package var registrationHandler: (() -> Void)?
  /// The number of times that the timer has fired since the last call of the event handler.
  package private(set) var fireCount = 0

  private var interval: Duration?
  /// The number of calls of `schedule`. An event of an earlier schedule does not call the handler.
  private var schedules = 0
  /// Whether the timer has fired while it was suspended.
  private var isPending = false
  private var hasEnded = false
  /// Whether the event handler runs. It may be interrupted.
  private var isFiring = false
  /// When the next event is due, if it was scheduled while the event handler ran.
  private var nextDue: VirtualClock.Instant?

  init(
    core: SimulatedWorldCore, queue: SimulatedQueue, isSuspended: @escaping () -> Bool,
    isCancelled: @escaping () -> Bool
  ) {
    self.core = core
    self.queue = queue
    self.isSuspended = isSuspended
    self.isCancelled = isCancelled
  }

  /// Replaces the schedule. The timer never fires if `delay` is nil, and fires once if `interval`
  /// is nil.
  package func schedule(after delay: Duration?, repeating interval: Duration?) {
    schedules += 1
    isPending = false
    nextDue = nil
    self.interval = interval
    if let delay { insert(due: core.due(after: delay)) }
  }

  /// Calls the handlers for which the timer was suspended until now.
  package func resume() {
    guard !isSuspended() else { return }
    if let handler = registrationHandler {
      registrationHandler = nil
      enqueue(handler)
    }
    if isCancelled() { return end() }
    guard isPending else { return }
    isPending = false
    insert(due: core.now)
  }

  /// Stops the timer, and enqueues the cancel handler once the timer is not suspended.
  package func cancel() {
    schedules += 1
    if !isSuspended() { end() }
  }

  /// Stops the timer without a call of the cancel handler, because the app has released it.
  package func stop() {
    schedules += 1
    (eventHandler, cancelHandler, nextDue) = (nil, nil, nil)
  }

  private func end() {
    // After the event handler, `fire` calls this function again.
    guard !hasEnded, !isFiring else { return }
    hasEnded = true
    let handler = cancelHandler
    (eventHandler, cancelHandler) = (nil, nil)
    if let handler { enqueue(handler) }
  }

  private func enqueue(_ block: @escaping () -> Void) {
    core.ready.append(core.job(block, on: queue, isBarrier: false))
  }

  /// Inserts the next event. At most one event exists, so the event handler never runs beside
  /// itself.
  private func insert(due: VirtualClock.Instant) {
    if isFiring { return nextDue = due }
    let schedule = schedules
    let job = core.job({ [self] in fire(due: due, schedule: schedule) }, on: queue, isBarrier: false)
    core.insert(SimulatedWorldCore.Timer(due: due, job: job, repeats: interval != nil))
  }

  private func fire(due: VirtualClock.Instant, schedule: Int) {
    guard schedule == schedules else { return }
    fireCount += missedIntervals(since: due) + 1
    guard !isSuspended() else { return isPending = true }
    isFiring = true
    eventHandler?()
    isFiring = false
    fireCount = 0
    if isCancelled(), !isSuspended() { return end() }
    if let due = nextDue.take() { return insert(due: due) }
    guard let interval, schedule == schedules else { return }
    insert(due: due.advanced(by: interval * (missedIntervals(since: due) + 1)))
  }

  /// The number of times that the timer should have fired after `due`, up to now.
  private func missedIntervals(since due: VirtualClock.Instant) -> Int {
    guard let interval, interval > .zero else { return 0 }
    return Int((due.duration(to: core.now) / interval).rounded(.down))
  }
}
