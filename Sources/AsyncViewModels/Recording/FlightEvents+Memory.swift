import Foundation
import Synchronization

/// The part of a recording's format that is needed to write an event. `RecordingLayout` of the
/// recorder has all of it.
extension FlightEvents {
  @export(implementation) package static var capacityOffset: Int { 8 }
  @export(implementation) package static var cursorOffset: Int { 64 }
  @export(implementation) package static var eventsOffset: Int { 262_272 }

  private static var isBeingWritten: UInt64 { 1 }

  /// Writes an event.
  ///
  /// Wait-free: a writer takes the next number, and writes to the place of that number. The event
  /// that it replaces is invalid from its first store to its last one. If an interrupted writer
  /// still has the place, the event is lost.
  // Not inlined, because it reads the current thread. See `ThreadMark`.
  @inline(never)
  static func append(
    _ event: RecordedEvent, _ object: UInt32, _ number: UInt64, to memory: UnsafeMutableRawPointer
  ) {
    typealias Word = Atomic<UInt64>
    let capacity = unsafe memory.load(fromByteOffset: capacityOffset, as: UInt64.self)
    let cursor = unsafe (memory + cursorOffset).assumingMemoryBound(to: Word.self)
    let index = unsafe cursor.pointee.wrappingAdd(1, ordering: .relaxed).oldValue
    let events = unsafe (memory + eventsOffset).assumingMemoryBound(to: Word.self)
    let place = unsafe events + 4 * Int(index & (capacity - 1))
    guard unsafe place[0].exchange(isBeingWritten, ordering: .acquiring) != isBeingWritten else { return }
    // Keeps the following stores behind the first one.
    atomicMemoryFence(ordering: .releasing)
    unsafe place[1].store(time(), ordering: .relaxed)
    let what = UInt64(object) << 32 | UInt64(event.rawValue)
    unsafe place[2].store(what, ordering: .relaxed)
    unsafe place[3].store(number, ordering: .relaxed)
    let mark = UInt64(UInt32(truncatingIfNeeded: index &+ 1)) << 32 | UInt64(thread)
    unsafe place[0].store(mark, ordering: .releasing)
    #if canImport(Darwin)
      unsafe names?.emitSignpost(event, object, number)
    #endif
  }

  /// Nanoseconds of a clock that does not go backward.
  ///
  /// On Linux, the clock advances every 1 to 10 ms, as the kernel is configured. A finer clock
  /// takes longer than the rest of an event. The numbers of the events show their order.
  @inline(never)
  package static func time() -> UInt64 {
    #if canImport(Darwin)
      return clock_gettime_nsec_np(CLOCK_UPTIME_RAW)
    #else
      // The members of `timespec` belong to a module that depends on the order of the imports.
      var time: (seconds: time_t, nanoseconds: Int) = (0, 0)
      unsafe withUnsafeMutableBytes(of: &time) {
        let time = unsafe $0.assumingMemoryBound(to: timespec.self).baseAddress!
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, time)
      }
      return UInt64(time.seconds) &* 1_000_000_000 &+ UInt64(time.nanoseconds)
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
