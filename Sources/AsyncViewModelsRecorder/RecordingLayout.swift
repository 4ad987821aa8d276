import AsyncViewModels

/// The format of a recording, in memory and in a file. All numbers have the byte order of the
/// machine.
///
/// | offset | content |
/// | --- | --- |
/// | 0 | ``format``, the capacity, the start on the clock of the events, the process |
/// | 64 | the number of events that were begun |
/// | 128 | the names: a byte with the length, and up to 62 bytes of UTF-8. The names of the fields of a state follow the name of its type. |
/// | 262,272 | the events, in a ring |
///
/// An event has four words:
///
/// | word | content |
/// | --- | --- |
/// | 0 | high half: the number of the event, counted from 1. Low half: the thread. While the event is written, the word is 1. |
/// | 1 | its time in nanoseconds |
/// | 2 | its object (the high half) and its kind (8 bits) |
/// | 3 | a number |
enum RecordingLayout {
  /// `AVMREC` and the version of the format.
  static let format: UInt64 = 0x4156_4d52_4543_0002
  static let cursorOffset = FlightEvents.cursorOffset
  static let namesOffset = 128
  static let nameSize = 64
  static let nameLimit = (eventsOffset - namesOffset) / nameSize
  static let capacities = 64...16_777_216
  /// The beginning of the name of a field.
  static let fieldPrefix = "\u{1}"
  static let eventsOffset = FlightEvents.eventsOffset
  static let eventSize = 32

  static func size(capacity: Int) -> Int { eventsOffset + eventSize * capacity }

  /// The capacity of a recording with this size, or `nil` if no recording has it.
  static func capacity(size: Int) -> Int? {
    let capacity = (size - eventsOffset) / eventSize
    return capacities.contains(capacity) && capacity.nonzeroBitCount == 1
      && self.size(capacity: capacity) == size
      ? capacity : nil
  }
}
