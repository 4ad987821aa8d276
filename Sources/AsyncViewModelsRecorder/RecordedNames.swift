import AsyncViewModels

/// The names of a recording that is read, and the words for its events.
struct RecordedNames {
  private let names: [String]

  /// - Precondition: `words` has the layout of a recording.
  init(_ words: [UInt64]) {
    let wordsPerName = RecordingLayout.nameSize / 8
    names = (0..<RecordingLayout.nameLimit).map { number in
      let start = RecordingLayout.namesOffset / 8 + number * wordsPerName
      let bytes = unsafe words[start..<start + wordsPerName].withUnsafeBytes { unsafe Array($0) }
      return String(decoding: bytes.dropFirst().prefix(Int(bytes[0])), as: UTF8.self)
    }
  }

  private subscript(number: Int) -> String {
    names.indices.contains(number) && !names[number].isEmpty ? names[number] : "(unknown)"
  }

  func entry(
    _ event: RecordedEvent, _ object: UInt32, _ value: UInt64, detail: Int, number: UInt64, time: Duration,
    thread: Int
  ) -> FlightLog.Entry {
    let name = self[Int(object >> RecordingNames.serialBits)]
    let serial = object & (1 << RecordingNames.serialBits - 1)
    let intent: FlightLog.Intent? =
      event == .intent ? FlightLog.Intent(name: name, number: Int(truncatingIfNeeded: value)) : nil
    return FlightLog.Entry(
      number: number, time: time, thread: thread,
      object: intent == nil ? "\(role(of: event))\(name) #\(serial)" : "",
      text: intent.map { "intent \"\($0.name)\" \($0.number)" } ?? text(of: event, value, detail: detail),
      intent: intent)
  }

  private func role(of event: RecordedEvent) -> String {
    switch event.rawValue {
    case ..<RecordedEvent.slotUsed.rawValue: "state "
    case ..<RecordedEvent.bagCreated.rawValue: "slot of "
    case ..<RecordedEvent.storeCreated.rawValue: ""
    default: "store of "
    }
  }

  private func text(of event: RecordedEvent, _ value: UInt64, detail: Int) -> String {
    switch event {
    case .intent, .stateCreated, .bagCreated, .storeCreated: "is created"
    case .slotUsed: "is used"
    case .changed: "version \(value)"
    case .finished: "finishes with version \(value)"
    case .observerCame: "an observer comes, now \(value)"
    case .observerLeft: "an observer leaves, now \(value)"
    case .runStarted: "run \(value) starts"
    case .runJoined: "a caller joins run \(value)"
    case .runDropped: "a run is dropped, because run \(value) is running"
    case .runSuperseded: "run \(value) is superseded"
    case .runCancelled: "run \(value) is cancelled by cancel()"
    case .runReleased: "run \(value) is cancelled, because its slot is released"
    case .runAbandoned: "run \(value) is cancelled by its last caller"
    case .runSucceeded: "the work of run \(value) succeeds"
    case .runFailed: "the work of run \(value) fails with \(self[detail])"
    case .runCancelledItself: "the work of run \(value) cancels itself"
    case .runEndedLate: "the work of run \(value) ends late, and is ignored"
    case .taskStarted: "task \(value) starts"
    case .taskEnded: "task \(value) ends"
    case .bagClosed: "closes and cancels \(value) tasks and tokens"
    case .modelMade: "view model \(value) is made"
    case .leaseBegan: "a lease of view model \(value) begins"
    case .leaseEnded: "a lease of view model \(value) ends"
    case .modelReleased: "view model \(value) is released"
    }
  }
}
