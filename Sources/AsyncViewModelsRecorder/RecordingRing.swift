import AsyncViewModels
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// The memory of a recording: a part of a file, or memory of the process. Never released.
///
/// Writing an event is wait-free: a writer takes the next number, and writes to the place of that
/// number. The event that it replaces is invalid from its first store to its last one. A writer
/// that is interrupted while all other places are written can spoil one newer event.
///
/// `@unchecked Sendable`: the cursor and the events are accessed with atomic operations, the names
/// under the lock of ``RecordingNames``, and the head is constant.
@safe
final class RecordingRing: @unchecked Sendable {
  private typealias Word = Atomic<UInt64>

  private let base: UnsafeMutableRawPointer
  private let cursor: UnsafeMutablePointer<Word>
  private let events: UnsafeMutablePointer<Word>
  private let capacity: Int

  init(capacity: Int, path: String?) throws(FlightRecorderError) {
    let size = RecordingLayout.size(capacity: capacity)
    if let path {
      unsafe base = try Self.map(path, size)
    } else {
      unsafe base = .allocate(byteCount: size, alignment: 64)
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }
    unsafe cursor = (base + RecordingLayout.cursorOffset).assumingMemoryBound(to: Word.self)
    unsafe events = (base + RecordingLayout.eventsOffset).assumingMemoryBound(to: Word.self)
    self.capacity = capacity
    let head = [RecordingLayout.mark, UInt64(capacity), Self.time, UInt64(getpid())]
    for (index, word) in head.enumerated() {
      unsafe base.storeBytes(of: word, toByteOffset: 8 * index, as: UInt64.self)
    }
  }

  /// Replaces a file. A process that has mapped the old file keeps it.
  ///
  /// Writes all bytes once, so that the disk has a place for each of them: a full disk is an error
  /// now, and not a crash later.
  private static func map(_ path: String, _ size: Int) throws(FlightRecorderError) -> UnsafeMutableRawPointer
  {
    func failure() -> FlightRecorderError { .file(path: path, code: errno) }
    unsafe unlink(path)
    let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    let zeros = [UInt8](repeating: 0, count: 65_536)
    var rest = size
    while rest > 0 {
      let written = unsafe zeros.withUnsafeBytes { unsafe write(file, $0.baseAddress, min(rest, $0.count)) }
      guard written > 0 else { throw failure() }
      rest -= written
    }
    let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { throw failure() }
    return unsafe memory
  }

  // Not inlined, because it reads the current thread. See `ThreadMark`.
  @inline(never)
  func note(_ event: RecordedEvent, object: UInt32, number: UInt64, detail: UInt16) {
    let index = unsafe cursor.pointee.wrappingAdd(1, ordering: .relaxed).oldValue
    let place = unsafe events + 4 * Int(index & UInt64(capacity - 1))
    unsafe place[0].store(0, ordering: .relaxed)
    // Keeps the following stores behind the first one.
    atomicMemoryFence(ordering: .releasing)
    unsafe place[1].store(Self.time, ordering: .relaxed)
    let what = UInt64(object) << 32 | UInt64(detail) << 8 | UInt64(event.rawValue)
    unsafe place[2].store(what, ordering: .relaxed)
    unsafe place[3].store(number, ordering: .relaxed)
    let mark = UInt64(UInt32(truncatingIfNeeded: index &+ 1)) << 32 | UInt64(Self.thread)
    unsafe place[0].store(mark, ordering: .releasing)
  }

  /// Writes a name. Called under the lock of the names.
  func writeName(_ text: String, number: Int) {
    let place = unsafe base + RecordingLayout.namesOffset + number * RecordingLayout.nameSize
    let bytes = text.utf8.prefix(RecordingLayout.nameSize - 2)
    for (index, byte) in bytes.enumerated() {
      unsafe place.storeBytes(of: byte, toByteOffset: index + 1, as: UInt8.self)
    }
    unsafe place.storeBytes(of: UInt8(bytes.count), as: UInt8.self)
  }

  /// A copy. Events that are being written are zero. Called under the lock of the names.
  var words: [UInt64] {
    let headCount = RecordingLayout.eventsOffset / 8
    var words = (0..<headCount).map { unsafe base.load(fromByteOffset: 8 * $0, as: UInt64.self) }
    words[RecordingLayout.cursorOffset / 8] = unsafe cursor.pointee.load(ordering: .acquiring)
    for event in 0..<capacity {
      let place = unsafe events + 4 * event
      let mark = unsafe place[0].load(ordering: .acquiring)
      let rest = (1...3).map { unsafe place[$0].load(ordering: .relaxed) }
      atomicMemoryFence(ordering: .acquiring)
      let isWhole = unsafe place[0].load(ordering: .relaxed) == mark
      words += isWhole ? [mark] + rest : [0, 0, 0, 0]
    }
    return words
  }

  /// Nanoseconds of a clock that does not go backward.
  ///
  /// On Linux, the clock advances every 1 to 10 ms, as the kernel is configured. A finer clock
  /// takes longer than the rest of an event. The numbers of the events show their order.
  private static var time: UInt64 {
    #if canImport(Darwin)
      return clock_gettime_nsec_np(CLOCK_UPTIME_RAW)
    #else
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
      return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    #endif
  }

  /// A number that no other thread has at the same time. Threads have at least a page for their
  /// stack.
  private static var thread: UInt32 {
    #if canImport(Darwin)
      UInt32(truncatingIfNeeded: UInt(bitPattern: unsafe pthread_self()) >> 12)
    #else
      UInt32(truncatingIfNeeded: UInt(pthread_self()) >> 12)
    #endif
  }
}
