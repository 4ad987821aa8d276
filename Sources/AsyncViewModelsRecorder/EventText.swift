import AsyncViewModels

/// The words for the events of a recording.
struct EventText {
  private let names: [String]

  /// - Parameter names: The names in the order of their numbers.
  init(_ names: [String]) { self.names = names }

  private subscript(number: Int) -> String {
    names.indices.contains(number) && !names[number].isEmpty ? names[number] : "(unknown)"
  }

  private subscript(field number: Int) -> String {
    let name = self[number]
    return name.hasPrefix(RecordingLayout.fieldPrefix) ? String(name.dropFirst()) : "(unknown)"
  }

  func entry(
    _ event: RecordedEvent, _ object: UInt32, _ value: UInt64, number: UInt64, time: Duration,
    thread: Int
  ) -> FlightLog.Entry {
    let nameNumber = Int(object >> NameTable.serialBits)
    let name = self[nameNumber]
    let serial = object & (1 << NameTable.serialBits - 1)
    let intent: FlightLog.Intent? =
      event.rawValue == RecordedEvent.intent.rawValue
      ? FlightLog.Intent(name: name, number: Int(truncatingIfNeeded: value)) : nil
    return FlightLog.Entry(
      number: number, time: time, thread: thread,
      object: intent == nil ? "\(role(of: event))\(name) #\(serial)" : "",
      text: intent.map { "intent \"\($0.name)\" \($0.number)" }
        ?? text(of: event, value, nameNumber: nameNumber),
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

  private func text(of event: RecordedEvent, _ value: UInt64, nameNumber: Int) -> String {
    switch event {
    case .intent, .stateCreated, .bagCreated, .storeCreated: "is created"
    case .slotUsed: "is used"
    case .changed: text(of: StateChange(word: value), firstField: nameNumber + 1)
    case .finished: "finishes with version \(value)"
    case .observerCame: "an observer comes, now \(value)"
    case .observerLeft: "an observer leaves, now \(value)"
    case .runStarted: "run \(value) is added"
    case .runJoined: "a caller joins run \(value)"
    case .runDropped: "a run is dropped, because run \(value) is running"
    case .runSuperseded: "run \(value) is superseded"
    case .runCancelled: "run \(value) is cancelled by cancel()"
    case .runReleased: "run \(value) is cancelled, because its slot is released"
    case .runAbandoned: "run \(value) is cancelled by its last caller"
    case .runEnded: "the work of run \(value) ends"
    case .runEndedLate: "the work of run \(value) ends late, and is ignored"
    case .taskStarted: "task \(value) starts"
    case .taskEnded: "task \(value) ends"
    case .bagClosed: "closes, and cancels what it contains (\(value))"
    case .modelMade: "view model \(value) is made"
    case .leaseBegan: "the lease of view model \(value & 0xFFFF_FFFF)\(holder(value >> 32)) begins"
    case .leaseEnded: "the lease of view model \(value & 0xFFFF_FFFF)\(holder(value >> 32)) ends"
    case .modelReleased: "view model \(value) is released"
    case .storeClosed: "closes, and releases its view models"
    default: "an event of another version, \(event.rawValue)"
    }
  }

  /// The code that holds a lease, such as ` in Shop/CartScreen.swift:40`.
  private func holder(_ place: UInt64) -> String {
    place == 0 ? "" : " in \(self[Int(place >> 20)]):\(place & 0xF_FFFF)"
  }

  /// Such as `version 3 changes isLoading, orders`.
  private func text(of change: StateChange, firstField: Int) -> String {
    guard let bits = change.fields else { return "version \(change.version)" }
    let fields = (0..<StateChange.fieldBits).filter { bits >> $0 & 1 == 1 }
    let names = fields.map { self[field: firstField + $0] }.joined(separator: ", ")
    return "version \(change.version) changes \(fields.isEmpty ? "nothing" : names)"
  }
}

/// So that a `switch` has the names of the events.
private func ~= (pattern: RecordedEvent, event: RecordedEvent) -> Bool { pattern.rawValue == event.rawValue }

/// A version of a state, and which fields differ from the version before, in one word.
///
/// | bits | content |
/// | --- | --- |
/// | 0–39 | the version, which wraps around |
/// | 40 | whether the fields are known |
/// | 41–63 | a bit for each field. The last one is for all other fields. |
struct StateChange: Equatable, Sendable {
  /// The number of fields with a bit of their own is one less.
  static let fieldBits = 23

  var version: UInt64
  /// The fields that differ, or `nil` if they are not known.
  var fields: UInt32?

  init(version: UInt64, fields: UInt32? = nil) { (self.version, self.fields) = (version, fields) }

  init(word: UInt64) {
    version = word & (1 << 40 - 1)
    fields = word >> 40 & 1 == 1 ? UInt32(word >> 41) : nil
  }

  var word: UInt64 {
    let version = version & (1 << 40 - 1)
    return fields.map { version | 1 << 40 | UInt64($0) << 41 } ?? version
  }
}
