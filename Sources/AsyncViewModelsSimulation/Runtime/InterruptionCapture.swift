internal import AsyncViewModelsRuntimeHooks
import Foundation

/// On the thread that runs a simulated world, makes locks, atomic operations and resumptions places
/// at which the world can interrupt code, and waits for locks part of the world.
enum InterruptionCapture {
  static func install() {
    unsafe interruptions_call(
      { place in
        guard let world = JobCapture.current, let place = unsafe place else { return }
        if world.seenPlaces != nil { world.seenPlaces?.insert(unsafe String(cString: place)) }
        guard world.canBeInterrupted else { return }
        world.interrupt(unsafe String(cString: place))
      },
      { owner, lock, isFree, call, timeout in
        guard let world = JobCapture.current, let isFree = unsafe isFree, let call = unsafe call else {
          return false
        }
        return world.waitForLock(
          of: owner, in: unsafe String(cString: call), timeout: timeout < 0 ? nil : .nanoseconds(timeout)
        ) { unsafe isFree(lock) }
      })
  }

  /// The number of the calling thread, by which locks know their owner.
  static var thread: Int32 { interruptions_thread() }

  /// A place of the running code, unless the simulator has called it.
  static func at(_ place: String) { unsafe interruptions_at(place) }

  /// Runs code of the simulator for a call that may wait, unless the simulator makes this call, or
  /// the call belongs to the initial value of a global variable.
  static func atCall(_ body: () -> Void) {
    if interruptions_are_possible() { paused(body) }
  }

  /// Whether code of a world computes the initial value of a global variable.
  static var isInitializing: Bool { interruptions_are_initializing() }

  /// Runs code of the simulator, in which no place counts.
  @inline(always)
  static func paused<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    interruptions_pause()
    defer { interruptions_continue() }
    return try body()
  }

  /// Runs code of the world. Called by the loop of the world, in which no place counts.
  static func resumed<Result>(_ body: () -> Result) -> Result {
    let before = interruptions_enter_world()
    defer { interruptions_leave_world(before) }
    return body()
  }
}
