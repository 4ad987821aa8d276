import AsyncViewModels
import Foundation
import Synchronization

/// The memory of a recording: a part of a file, or memory of the process. Never released.
///
/// `@unchecked Sendable`: `FlightEvents` and ``contents(names:)`` access the events with atomic
/// operations. The names are written under the lock of ``NameTable``, and the head is constant.
@safe
struct RecordingRing: @unchecked Sendable {
  private typealias Word = Atomic<UInt64>

  let memory: UnsafeMutableRawPointer
  private let capacity: Int
  private let start = FlightEvents.time()

  /// Creates a recording in a file, or in the memory of the process if there is no path.
  init(capacity: Int, path: String?) throws(FlightRecorderError) {
    self.capacity = capacity
    let size = RecordingLayout.size(capacity: capacity)
    if let path {
      unsafe memory = try Self.map(path, size)
    } else {
      unsafe memory = .allocate(byteCount: size, alignment: 64)
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }
    let head = [RecordingLayout.format, UInt64(capacity), start, UInt64(getpid())]
    for (index, word) in head.enumerated() {
      unsafe memory.storeBytes(of: word, toByteOffset: 8 * index, as: UInt64.self)
    }
  }

  /// Replaces a file. A process that has mapped the old file keeps it.
  ///
  /// Writes all bytes once: on most file systems, a full disk is then an error now, and not a crash
  /// later.
  private static func map(_ path: String, _ size: Int) throws(FlightRecorderError) -> UnsafeMutableRawPointer
  {
    func failure() -> FlightRecorderError { .file(path: path, code: errno) }
    unsafe unlink(path)
    let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure() }
    var isMapped = false
    defer {
      close(file)
      if !isMapped { unsafe unlink(path) }
    }
    let zeros = [UInt8](repeating: 0, count: 65_536)
    var rest = size
    while rest > 0 {
      let written = unsafe zeros.withUnsafeBytes { unsafe write(file, $0.baseAddress, min(rest, $0.count)) }
      guard written > 0 else { throw failure() }
      rest -= written
    }
    let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { throw failure() }
    isMapped = true
    return unsafe memory
  }

  /// Writes a name. Called under the lock of the names.
  func writeName(_ text: String, number: Int) {
    let place = unsafe memory + RecordingLayout.namesOffset + number * RecordingLayout.nameSize
    let bytes = text.utf8.prefix(RecordingLayout.nameSize - 2)
    for (index, byte) in bytes.enumerated() {
      unsafe place.storeBytes(of: byte, toByteOffset: index + 1, as: UInt8.self)
    }
    unsafe place.storeBytes(of: UInt8(bytes.count), as: UInt8.self)
  }

  /// A copy. Events that are being written are zero.
  func contents(names: [String]) -> RecordingContents {
    let cursor = unsafe (memory + RecordingLayout.cursorOffset).assumingMemoryBound(to: Word.self)
    let end = unsafe cursor.pointee.load(ordering: .acquiring)
    let places = unsafe (memory + RecordingLayout.eventsOffset).assumingMemoryBound(to: Word.self)
    var events = [UInt64](repeating: 0, count: 4 * capacity)
    for first in stride(from: 0, to: 4 * capacity, by: 4) {
      let mark = unsafe places[first].load(ordering: .acquiring)
      for word in first + 1...first + 3 { events[word] = unsafe places[word].load(ordering: .relaxed) }
      atomicMemoryFence(ordering: .acquiring)
      let isWhole = unsafe places[first].load(ordering: .relaxed) == mark
      events[first] = isWhole ? mark : 0
    }
    return RecordingContents(names: names, start: start, end: end, events: events)
  }
}
