/// The state of a *timed* sequence, debounced or throttled: the machine, the waiting consumer and
/// the timer.
///
/// The sequence guards the state with its lock. The functions only change the state. They return
/// the effects to perform after the lock is released. The consumer *leaves* if its task is
/// cancelled or its iterator is released.
@usableFromInline
struct TimedState<Machine: TimedMachine, Failure: Error>: Sendable {
  @usableFromInline typealias Consumer = SuspendedCall<Result<Machine.Element?, Failure>>
  @usableFromInline typealias Timer = SuspendedCall<Duration?>

  /// The effects that a timed sequence performs after it has released its lock: the waiting
  /// consumer with the result of its call of `next`, the waiting timer with the deadline to sleep
  /// until (`nil` ends the timer), and the task that reads the source, if it has to be cancelled.
  ///
  /// A tuple, because each app would contain the code that copies a generic structure.
  @usableFromInline
  typealias Effects = (
    response: (Consumer, Result<Machine.Element?, Failure>)?, alarm: (Timer, Duration?)?,
    cancelled: Task<Void, Never>?
  )

  @usableFromInline var machine: Machine
  @usableFromInline var phase = TimedPhase.idle
  @usableFromInline var source: Task<Void, Never>?
  /// The error of the source, until the consumer receives it.
  @usableFromInline var failure: Failure?

  /// The latest element that became due while the consumer was busy.
  @usableFromInline var ready: Machine.Element?
  @usableFromInline var consumer: Consumer?

  /// The timer, while it waits for a deadline.
  @usableFromInline var timer: Timer?

  @export(implementation)
  init(machine: Machine) {
    self.machine = machine
  }

  /// Returns `true` for the first call only. The first caller starts the task that reads the
  /// source.
  @export(implementation)
  mutating func begin() -> Bool {
    guard case .idle = phase else { return false }
    phase = .running
    return true
  }

  /// Stores the task that reads the source, or cancels the task if the consumer has already left.
  @export(implementation)
  mutating func install(_ task: Task<Void, Never>) -> Effects {
    if case .closed = phase { return (nil, nil, task) }
    source = task
    return (nil, nil, nil)
  }

  /// Handles an element of the source. `isWanted` is `false` if the consumer has left.
  @export(implementation)
  mutating func receive(_ element: Machine.Element, at now: Duration) -> (isWanted: Bool, Effects) {
    guard case .running = phase else { return (false, (nil, nil, nil)) }
    var effects: Effects = (nil, nil, nil)
    if let element = machine.receive(element, at: now) { handOn(element, &effects) }
    setTimer(&effects)
    return (true, effects)
  }

  /// Delivers the element that is due, if any. The timer calls this function after its sleep.
  @export(implementation)
  mutating func wake(at now: Duration) -> Effects {
    var effects: Effects = (nil, nil, nil)
    guard case .running = phase else { return effects }
    if let element = machine.wake(at: now) { handOn(element, &effects) }
    // If the machine kept an element that is due, the timer would wait for the same deadline again.
    assert(machine.deadline.map { $0 > now } ?? true)
    return effects
  }

  /// Gives the timer its next deadline: at once if a deadline is known, otherwise as soon as there
  /// is one.
  @export(implementation)
  mutating func waitForDeadline(_ timer: Timer) -> Effects {
    self.timer = timer
    var effects: Effects = (nil, nil, nil)
    setTimer(&effects)
    return effects
  }

  /// Ends the timer, because the source has ended: the kept element no longer waits for its
  /// deadline.
  @export(implementation)
  mutating func dismissTimer() -> Effects {
    var effects: Effects = (nil, nil, nil)
    if case .running = phase { phase = .draining }
    setTimer(&effects)
    return effects
  }

  /// Delivers the kept element and then the end. The timer has already ended.
  @export(implementation)
  mutating func end(_ failure: Failure?) -> Effects {
    var effects: Effects = (nil, nil, nil)
    guard case .draining = phase else { return effects }
    (phase, self.failure) = (.ended, failure)
    if let element = machine.finish() { handOn(element, &effects) }
    respondToConsumer(&effects)
    return effects
  }

  /// Responds to the consumer's call of `next`: at once if an element or the end is ready,
  /// otherwise when one of them becomes ready.
  @export(implementation)
  mutating func ask(_ consumer: Consumer) -> Effects {
    guard self.consumer == nil else { fatalError("two tasks await the next element of the same iterator") }
    self.consumer = consumer
    var effects: Effects = (nil, nil, nil)
    respondToConsumer(&effects)
    return effects
  }

  /// Drops all elements, because the consumer leaves.
  @export(implementation)
  mutating func close() -> Effects {
    var effects: Effects = (nil, nil, source.take())
    (phase, failure) = (.closed, nil)
    ready = nil
    _ = machine.finish()
    respondToConsumer(&effects)
    setTimer(&effects)
    return effects
  }

  @export(implementation)
  mutating func handOn(_ element: Machine.Element, _ effects: inout Effects) {
    ready = element
    respondToConsumer(&effects)
  }

  @export(implementation)
  mutating func respondToConsumer(_ effects: inout Effects) {
    guard let waiting = consumer else { return }
    if let element = ready.take() {
      effects.response = (waiting, .success(element))
    } else {
      switch phase {
      case .idle, .running, .draining: return
      case .ended, .closed: effects.response = (waiting, failure.take().map(Result.failure) ?? .success(nil))
      }
      phase = .closed
    }
    consumer = nil
  }

  @export(implementation)
  mutating func setTimer(_ effects: inout Effects) {
    guard let waiting = timer else { return }
    if case .running = phase {
      guard let deadline = machine.deadline else { return }
      effects.alarm = (waiting, deadline)
    } else {
      effects.alarm = (waiting, nil)
    }
    timer = nil
  }

  @export(implementation)
  static func perform(_ effects: Effects) {
    // Cancels first, so that the timer no longer sleeps when the consumer receives the end.
    effects.cancelled?.cancel()
    if let (timer, deadline) = effects.alarm { timer.resume(returning: deadline) }
    if let (consumer, result) = effects.response { consumer.resume(returning: result) }
  }
}

/// The progress of a timed sequence. Not nested, because a nested type would be generic.
@usableFromInline
enum TimedPhase: Sendable {
  case idle
  case running
  /// The source has ended, but the machine's kept element is not yet delivered.
  case draining
  /// The source has ended, but the consumer has not yet received the end.
  case ended
  case closed
}

/// A call that waits for its result, which must be passed exactly once.
///
/// A `CheckedContinuation` in the state would cost several look-ups of generic types for each
/// element of the source.
@safe @usableFromInline
struct SuspendedCall<Output: Sendable>: Sendable {
  @usableFromInline let continuation: UnsafeContinuation<Output, Never>

  @export(implementation)
  init(_ continuation: UnsafeContinuation<Output, Never>) { unsafe self.continuation = continuation }

  @export(implementation)
  func resume(returning output: Output) { unsafe continuation.resume(returning: output) }
}

/// A state machine that decides when a sequence delivers its elements. It does not wait, lock or
/// create tasks.
///
/// All times are durations since the same instant. An element that a function returns is delivered
/// at once. An element that the machine keeps is returned by a later call, unless a newer element
/// replaces it. After ``finish()``, no element is kept.
@usableFromInline
protocol TimedMachine: Sendable {
  associatedtype Element: Sendable

  /// The time at which to call ``wake(at:)``, or `nil` if no element is kept. The deadline may
  /// change while the timer sleeps.
  var deadline: Duration? { get }

  /// Handles an element of the source.
  mutating func receive(_ element: Element, at now: Duration) -> Element?

  /// Returns the kept element if it is due. The deadline may have changed while the timer slept.
  mutating func wake(at now: Duration) -> Element?

  /// Removes and returns the kept element. Called when the source has ended or the consumer has
  /// left.
  mutating func finish() -> Element?
}
