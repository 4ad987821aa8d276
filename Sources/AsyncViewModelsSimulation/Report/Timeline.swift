/// The events of a run, step by step.
struct Timeline: Sendable {
  enum Event: Hashable, Sendable {
    case created(Int)
    /// A task ran. `others` could have run instead. `preferred` would have run in the default
    /// order, or is nil if the task did.
    case ran(Int, others: [Int], preferred: Int?)
    case chose(Int, of: Int, by: Int)
    /// `isTurn` tells whether the text reports a choice that differs from the default.
    case said(String, by: Int, isTurn: Bool)
    /// `isTurn` tells whether the time moved over several deadlines at once.
    case timeMoved(isTurn: Bool)
    /// The previous entries show these steps once. In total, the steps run this many times, until
    /// the step of this entry.
    case repeated(ClosedRange<Int>, times: Int)
    case failed(SimulationFailure.Reason)
  }

  struct Entry: Sendable {
    let step: Int
    let time: Duration
    let event: Event
    /// The task that ran, or 0.
    let task: Int
    /// Whether a choice differs from the default.
    let isTurn: Bool
    /// The code that the step runs, if it is known.
    fileprivate(set) var code: StepCode?

    init(step: Int, time: Duration, event: Event) {
      self.step = step
      self.time = time
      self.event = event
      switch event {
      case .ran(let task, _, let preferred): (self.task, isTurn) = (task, preferred != nil)
      case .chose(let index, _, _): (task, isTurn) = (0, index > 0)
      case .said(_, _, let isTurn), .timeMoved(let isTurn): (task, self.isTurn) = (0, isTurn)
      default: (task, isTurn) = (0, false)
      }
    }

    var isStep: Bool { if case .ran = event { true } else { false } }
  }

  private(set) var entries: [Entry] = []
  private var isOpen = true

  mutating func note(_ event: Event, step: Int, at time: VirtualClock.Instant) {
    if isOpen { entries.append(Entry(step: step, time: time.offset, event: event)) }
  }

  /// The step that runs now.
  var lastStep: Entry? { entries.last(where: \.isStep) }

  /// Notes the code that the last step runs, unless its function is known.
  mutating func noteCode(_ code: StepCode?) {
    guard isOpen, let index = entries.lastIndex(where: \.isStep),
      entries[index].code?.detail.isEmpty ?? true
    else { return }
    entries[index].code = code
  }

  /// Notes the first failure, and ignores all later events.
  mutating func end(with reason: SimulationFailure.Reason, step: Int, at time: VirtualClock.Instant) {
    note(.failed(reason), step: step, at: time)
    isOpen = false
  }

  /// Replaces all entries between `range` and the last entry with one entry, which says that the
  /// steps of `range` repeat.
  mutating func showOnce(_ range: Range<Int>) {
    let (cycle, last) = (entries[range], entries[entries.count - 1])
    let steps = cycle.count { $0.isStep }
    let first = cycle[range.lowerBound].step
    let repetition = Event.repeated(
      first...(first + steps - 1), times: (last.step - first + 1) / steps)
    entries[range.upperBound...] = [Entry(step: last.step, time: last.time, event: repetition), last]
  }
}
