/// The events that a flight recorder stores. The raw values are part of the format of its files, so
/// a new event gets a new value.
///
/// Not an enumeration: its conformances would be in every app, and only the recorder needs them.
@usableFromInline
package struct RecordedEvent: Sendable {
  @usableFromInline package let rawValue: UInt8

  @export(implementation) package init(rawValue: UInt8) { self.rawValue = rawValue }

  @export(implementation) package static var intent: Self { Self(rawValue: 1) }

  // A state. The number is a version of the state, or the number of observers.
  @export(implementation) package static var stateCreated: Self { Self(rawValue: 10) }
  @export(implementation) package static var changed: Self { Self(rawValue: 11) }
  @export(implementation) package static var finished: Self { Self(rawValue: 12) }
  @export(implementation) package static var observerCame: Self { Self(rawValue: 13) }
  @export(implementation) package static var observerLeft: Self { Self(rawValue: 14) }

  // A slot, which begins to report with its first run. The number is that of the run.
  @export(implementation) package static var slotUsed: Self { Self(rawValue: 20) }
  @export(implementation) package static var runStarted: Self { Self(rawValue: 21) }
  @export(implementation) package static var runJoined: Self { Self(rawValue: 22) }
  @export(implementation) package static var runDropped: Self { Self(rawValue: 23) }
  @export(implementation) package static var runSuperseded: Self { Self(rawValue: 24) }
  /// Cancelled by `TaskSlot.cancel()`.
  @export(implementation) package static var runCancelled: Self { Self(rawValue: 25) }
  /// Cancelled by the release of the slot, and so of its owner.
  @export(implementation) package static var runReleased: Self { Self(rawValue: 26) }
  /// Cancelled by its last caller.
  @export(implementation) package static var runAbandoned: Self { Self(rawValue: 27) }
  @export(implementation) package static var runEnded: Self { Self(rawValue: 28) }
  /// The work of a superseded or cancelled run has returned.
  @export(implementation) package static var runEndedLate: Self { Self(rawValue: 31) }

  // A bag. The number is that of the task, or the number of cancelled entries.
  @export(implementation) package static var bagCreated: Self { Self(rawValue: 40) }
  @export(implementation) package static var taskStarted: Self { Self(rawValue: 41) }
  @export(implementation) package static var taskEnded: Self { Self(rawValue: 42) }
  @export(implementation) package static var bagClosed: Self { Self(rawValue: 43) }

  // A store of view models. The number is that of the view model, or the number of view models. Its
  // upper half is the place of the code that holds a lease.
  @export(implementation) package static var storeCreated: Self { Self(rawValue: 50) }
  @export(implementation) package static var modelMade: Self { Self(rawValue: 51) }
  @export(implementation) package static var leaseBegan: Self { Self(rawValue: 52) }
  @export(implementation) package static var leaseEnded: Self { Self(rawValue: 53) }
  @export(implementation) package static var modelReleased: Self { Self(rawValue: 54) }
  @export(implementation) package static var storeClosed: Self { Self(rawValue: 55) }
}
