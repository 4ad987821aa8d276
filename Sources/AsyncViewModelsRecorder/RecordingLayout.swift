/// The format of a recording, in memory and in a file. All numbers have the byte order of the
/// machine.
///
/// | offset | content |
/// | --- | --- |
/// | 0 | ``mark``, the capacity, the start on the clock of the events, the process |
/// | 64 | the number of events that were begun |
/// | 128 | the names: a byte with the length, and up to 62 bytes of UTF-8 |
/// | 262,272 | the events, in a ring |
///
/// An event has four words:
///
/// | word | content |
/// | --- | --- |
/// | 0 | the low half of its number, counted from 1, and of the thread. 0 while it is written. |
/// | 1 | its time in nanoseconds |
/// | 2 | its object (32 bits), a name (16 bits) and its kind (8 bits) |
/// | 3 | a number |
enum RecordingLayout {
  /// `AVMREC` and the version of the format.
  static let mark: UInt64 = 0x4156_4d52_4543_0001
  static let cursorOffset = 64
  static let namesOffset = 128
  static let nameSize = 64
  static let nameLimit = 4_096
  static let eventsOffset = namesOffset + nameSize * nameLimit
  static let eventSize = 32

  static func size(capacity: Int) -> Int { eventsOffset + eventSize * capacity }
}
