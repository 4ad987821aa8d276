import Synchronization

/// Reports what the parts of the toolkit do to the flight recorder, if one runs.
///
/// A part asks for an object number when it is created or first used. The number is 0 if no
/// recorder runs, and then its events are not reported.
///
/// The functions are not inlined, so that the code of the app stays short.
@usableFromInline
package enum FlightEvents {
  /// The memory of the recording. It is never released, because another thread can still write to
  /// it after it is replaced.
  private nonisolated(unsafe) static let recording = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
  /// Set before the first recording, and never changed again.
  fileprivate(set) nonisolated(unsafe) static var names: (any EventNaming)?

  /// Writes all events to a recording, or to none.
  ///
  /// - Parameter names: The same object in all calls.
  package static func write(to memory: UnsafeMutableRawPointer?, names: any EventNaming) {
    if unsafe Self.names == nil { unsafe Self.names = names }
    unsafe recording.store(memory, ordering: .releasing)
  }

  /// Whether a recorder runs.
  @usableFromInline @inline(never)
  package static func isOn() -> Bool { unsafe recording.load(ordering: .relaxed) != nil }

  /// Notes that an object begins to report. Returns its number, or 0 if no recorder runs.
  ///
  /// - Parameters:
  ///   - type: The type of a state's value, of the owner of tasks, or of view models.
  ///   - value: The first value of a state.
  @inline(never)
  package static func object(_ event: RecordedEvent, of type: Any.Type, value: Any? = nil) -> UInt32 {
    guard let recording = unsafe recording.load(ordering: .acquiring),
      let object = unsafe names?.makeObject(of: type, value: value)
    else { return 0 }
    unsafe append(event, object, 0, to: recording)
    return object
  }

  /// Notes that a state with this value is created. Returns its number, or 0 if no recorder runs.
  @usableFromInline @inline(never)
  package static func state(_ value: Any, of type: Any.Type) -> UInt32 {
    object(.stateCreated, of: type, value: value)
  }

  /// A place in the code, or 0 if no recorder runs. The lower 20 bits are the line.
  package typealias Place = UInt32

  /// A place in the code that an event of an object names.
  @inline(never)
  package static func place(for object: UInt32, _ file: StaticString, _ line: UInt) -> Place {
    guard object != 0, isOn(), let names = unsafe names else { return 0 }
    return names.makeNumber(of: file) << 20 | UInt32(min(line, 1 << 20 - 1))
  }

  /// Notes an event of an object. Does nothing if the number of the object is 0.
  @usableFromInline @inline(never)
  package static func note(_ event: RecordedEvent, _ object: UInt32, _ number: UInt64) {
    guard object != 0, let recording = unsafe recording.load(ordering: .acquiring) else { return }
    unsafe append(event, object, number, to: recording)
  }

  /// Notes a new version of a state, and which fields differ.
  ///
  /// - Parameters:
  ///   - old: The bytes of the value before, or `nil` if it was changed in place.
  ///   - new: The bytes of the value.
  @usableFromInline @inline(never)
  static func noteChange(
    _ object: UInt32, version: UInt64, from old: UnsafeRawPointer?, to new: UnsafeRawPointer
  ) {
    guard let recording = unsafe recording.load(ordering: .acquiring) else { return }
    let change = unsafe names?.change(of: object, to: version, from: old, to: new) ?? version
    unsafe append(.changed, object, change, to: recording)
  }
}

/// The numbers that a flight recorder gives to objects, types and fields.
package protocol EventNaming: AnyObject, Sendable {
  /// Returns a number for a new object, other than 0.
  ///
  /// - Parameter value: The first value of a state, whose fields get names.
  func makeObject(of type: Any.Type, value: Any?) -> UInt32

  /// Returns the number of a text, below 4,096.
  func makeNumber(of text: StaticString) -> UInt32

  /// A version of a state, and which of its fields have other bytes, in one number.
  ///
  /// Called under the lock of the state, so it waits for no other lock.
  func change(
    of object: UInt32, to version: UInt64, from old: UnsafeRawPointer?, to new: UnsafeRawPointer
  ) -> UInt64

  #if canImport(Darwin)
    /// Shows an event in Instruments, if it records. Then takes a lock, also under that of a state.
    func emitSignpost(_ event: RecordedEvent, _ object: UInt32, _ number: UInt64)
  #endif
}
