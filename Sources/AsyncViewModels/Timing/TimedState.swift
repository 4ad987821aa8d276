/// Everything that a timed sequence's storage guards with its lock: the machine, and who waits for it.
///
/// No function does anything to the outside. They return the effects to perform once the lock is released.
struct TimedState<Machine: TimedMachine, Failure: Error>: Sendable {
  typealias Effects = TimedEffects<Machine.Element, Failure>

  private enum Phase {
    case idle
    case running
    /// The source has ended, but what the machine keeps is still to be handed on.
    case draining
    /// The source has ended, and the consumer has yet to hear of it.
    case ended(Failure?)
    case closed
  }

  private var machine: Machine
  private var phase = Phase.idle
  private var source: Task<Void, Never>?

  /// What the machine handed on while the consumer was busy: the latest only.
  private var ready: Machine.Element?
  private var consumer: Effects.Consumer?

  /// The timer, while there is no deadline to sleep towards.
  private var timer: Effects.Timer?

  init(machine: Machine) {
    self.machine = machine
  }

  /// Whether the caller is the one who starts the source: only the first is.
  mutating func begin() -> Bool {
    guard case .idle = phase else { return false }
    phase = .running
    return true
  }

  /// Stores the started task, or has it cancelled where the consumer has left already.
  mutating func install(_ task: Task<Void, Never>) -> Effects {
    if case .closed = phase { return Effects(cancelling: task) }
    source = task
    return Effects()
  }

  /// Takes an element of the source; `false` where nobody is interested any more.
  mutating func receive(_ element: Machine.Element, at now: Duration) -> (isWanted: Bool, Effects) {
    guard case .running = phase else { return (false, Effects()) }
    var effects = Effects()
    if let element = machine.receive(element, at: now) { handOn(element, &effects) }
    setTimer(&effects)
    return (true, effects)
  }

  /// The timer has slept towards a deadline, and waits for the next.
  mutating func wake(at now: Duration) -> Effects {
    var effects = Effects()
    if case .running = phase, let element = machine.wake(at: now) { handOn(element, &effects) }
    return effects
  }

  mutating func waitForDeadline(_ timer: Effects.Timer) -> Effects {
    self.timer = timer
    var effects = Effects()
    setTimer(&effects)
    return effects
  }

  /// The source has ended: nothing is due at a later time any more.
  mutating func dismissTimer() -> Effects {
    var effects = Effects()
    if case .running = phase { phase = .draining }
    setTimer(&effects)
    return effects
  }

  /// The timer has ended, too. What the machine keeps comes first, then the end.
  mutating func end(_ failure: Failure?) -> Effects {
    var effects = Effects()
    guard case .draining = phase else { return effects }
    phase = .ended(failure)
    if let element = machine.finish() { handOn(element, &effects) }
    answerConsumer(&effects)
    return effects
  }

  mutating func ask(_ consumer: Effects.Consumer) -> Effects {
    guard self.consumer == nil else { fatalError("two tasks await the next element of one iterator") }
    self.consumer = consumer
    var effects = Effects()
    answerConsumer(&effects)
    return effects
  }

  /// The consumer leaves: everything kept is dropped.
  mutating func close() -> Effects {
    var effects = Effects(cancelling: source.take())
    phase = .closed
    ready = nil
    _ = machine.finish()
    answerConsumer(&effects)
    setTimer(&effects)
    return effects
  }

  private mutating func handOn(_ element: Machine.Element, _ effects: inout Effects) {
    ready = element
    answerConsumer(&effects)
  }

  private mutating func answerConsumer(_ effects: inout Effects) {
    guard let waiting = consumer else { return }
    if let element = ready.take() {
      effects.answer = (waiting, .success(element))
    } else {
      switch phase {
      case .idle, .running, .draining: return
      case .ended(let failure?): effects.answer = (waiting, .failure(failure))
      case .ended(nil), .closed: effects.answer = (waiting, .success(nil))
      }
      phase = .closed
    }
    consumer = nil
  }

  private mutating func setTimer(_ effects: inout Effects) {
    guard let waiting = timer else { return }
    if case .running = phase {
      guard let deadline = machine.deadline else { return }
      effects.alarm = (waiting, deadline)
    } else {
      effects.alarm = (waiting, nil)
    }
    timer = nil
  }
}
