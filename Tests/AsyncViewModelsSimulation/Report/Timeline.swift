import AsyncViewModelsTesting

/// The events of a run, step by step.
struct Timeline: Sendable {
  enum Event: Sendable {
    case created(Int)
    case ran(Int, instead: [Int])
    case chose(Int, of: Int, by: Int)
    case said(String, by: Int)
    case timeMoved
    case failed(SimulationFailure.Reason)
  }

  struct Entry: Sendable {
    let step: Int
    let time: Duration
    let event: Event
  }

  private(set) var entries: [Entry] = []
  private var isOpen = true

  mutating func note(_ event: Event, step: Int, at time: VirtualClock.Instant) {
    if isOpen { entries.append(Entry(step: step, time: time.offset, event: event)) }
  }

  /// Ignores all later events. Called at the first failure.
  mutating func close() { isOpen = false }
}
