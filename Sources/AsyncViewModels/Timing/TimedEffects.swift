/// What a timed sequence has to do after it released its lock.
struct TimedEffects<Element: Sendable, Failure: Error>: Sendable {
  typealias Consumer = CheckedContinuation<Result<Element?, Failure>, Never>
  typealias Timer = CheckedContinuation<Duration?, Never>

  /// The consumer, and what its call of `next` returns or throws.
  var answer: (Consumer, Result<Element?, Failure>)?

  /// The timer, and the deadline to sleep towards; `nil` sends it home.
  var alarm: (Timer, Duration?)?

  /// The task that reads the source.
  var cancelling: Task<Void, Never>?

  init(cancelling: Task<Void, Never>? = nil) {
    self.cancelling = cancelling
  }

  func perform() {
    // Cancelled first, so that nothing sleeps any more when the consumer sees the end.
    cancelling?.cancel()
    if let (timer, deadline) = alarm { timer.resume(returning: deadline) }
    if let (consumer, result) = answer { consumer.resume(returning: result) }
  }
}
