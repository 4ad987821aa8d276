import Synchronization

/// Reports what the parts of the toolkit do to the flight recorder, if one runs.
///
/// A part asks for an object number when it is created or first used. It reports its events only if
/// the number is not 0. So without a recorder, an event costs one comparison.
///
/// The functions are not inlined, so that the code of the app contains only the comparison.
@usableFromInline
package enum FlightEvents {
  /// The receiver of all events, which is never released. Another thread can still call it after it
  /// is replaced.
  private static let receiver = unsafe Atomic<Unmanaged<RecordingReceiver>?>(nil)

  /// Sends all events to a receiver, or to none.
  package static func send(to new: RecordingReceiver?) {
    let pointer = unsafe new.map { unsafe Unmanaged.passRetained($0) }
    unsafe receiver.store(pointer, ordering: .releasing)
  }

  /// Whether there is a receiver.
  package static var isOn: Bool { unsafe receiver.load(ordering: .relaxed) != nil }

  /// Notes the event that an object begins to report. Returns its number, or 0 if there is no
  /// receiver.
  ///
  /// - Parameter type: The type of a state's value, or of the owner of tasks.
  @usableFromInline @inline(never)
  package static func object(_ event: RecordedEvent, of type: Any.Type) -> UInt32 {
    guard let receiver = unsafe receiver.load(ordering: .acquiring) else { return 0 }
    let object = unsafe receiver._withUnsafeGuaranteedRef { $0.makeObject(type) }
    note(event, object, 0)
    return object
  }

  /// Notes an event of an object. Does nothing if there is no receiver.
  @usableFromInline @inline(never)
  package static func note(_ event: RecordedEvent, _ object: UInt32, _ number: UInt64) {
    note(event, object, number, error: nil)
  }

  /// Notes an event with the type of an error.
  static func note(_ event: RecordedEvent, _ object: UInt32, _ number: UInt64, error: Any.Type?) {
    guard let receiver = unsafe receiver.load(ordering: .acquiring) else { return }
    unsafe receiver._withUnsafeGuaranteedRef { $0.note(event, object, number, error) }
  }
}

/// What a flight recorder does with the events of the toolkit.
package final class RecordingReceiver: Sendable {
  /// Returns a number for an object, other than 0.
  let makeObject: @Sendable (Any.Type) -> UInt32
  /// Can be called under locks of the toolkit, so it waits for no lock that is held while code of
  /// the toolkit or of an app runs.
  let note: @Sendable (RecordedEvent, _ object: UInt32, _ number: UInt64, _ error: Any.Type?) -> Void

  package init(
    makeObject: @escaping @Sendable (Any.Type) -> UInt32,
    note: @escaping @Sendable (RecordedEvent, UInt32, UInt64, Any.Type?) -> Void
  ) {
    self.makeObject = makeObject
    self.note = note
  }
}

/// The events that a flight recorder stores. The raw values are part of the format of its files, so
/// a new event gets a new value.
@usableFromInline
package enum RecordedEvent: UInt8, Sendable {
  case intent = 1

  // A state. The number is a version of the state, or the number of observers.
  case stateCreated = 10
  case changed
  case finished
  case observerCame
  case observerLeft

  // A slot, which begins to report with its first run. The number is that of the run.
  case slotUsed = 20
  case runStarted
  case runJoined
  case runDropped
  case runSuperseded
  /// Cancelled by `TaskSlot.cancel()`.
  case runCancelled
  /// Cancelled by the release of the slot, and so of its owner.
  case runReleased
  /// Cancelled by its last caller.
  case runAbandoned
  case runSucceeded
  case runFailed
  /// The work reported a cancellation that the slot did not request.
  case runCancelledItself
  /// The work of a superseded or cancelled run has returned.
  case runEndedLate

  // A bag. The number is that of the task, or the number of cancelled entries.
  case bagCreated = 40
  case taskStarted
  case taskEnded
  case bagClosed

  // A store of view models. The number is that of the view model.
  case storeCreated = 50
  case modelMade
  case leaseBegan
  case leaseEnded
  case modelReleased
}
