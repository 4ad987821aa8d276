import AsyncViewModelsSimulation

#if !canImport(Darwin)
  import Foundation

  /// A block of libdispatch.
  package typealias Block = @convention(block) () -> Void

  /// The original functions of libdispatch, which this module replaces.
  enum LibDispatch {
    typealias Submission = @convention(c) (UInt, Block) -> Void
    typealias Delayed = @convention(c) (UInt64, UInt, Block) -> Void
    typealias Grouped = @convention(c) (UInt, UInt, Block) -> Void
    typealias Operation = @convention(c) (UInt) -> Void
    typealias Wait = @convention(c) (UInt, UInt64) -> Int
    typealias Signal = @convention(c) (UInt) -> Int
    typealias Apply = @convention(c) (Int, UInt, @convention(block) (Int) -> Void) -> Void

    static let async = function("dispatch_async", as: Submission.self)
    static let barrierAsync = function("dispatch_barrier_async", as: Submission.self)
    static let sync = function("dispatch_sync", as: Submission.self)
    static let barrierSync = function("dispatch_barrier_sync", as: Submission.self)
    static let after = function("dispatch_after", as: Delayed.self)
    static let apply = function("dispatch_apply", as: Apply.self)
    static let groupAsync = function("dispatch_group_async", as: Grouped.self)
    static let groupNotify = function("dispatch_group_notify", as: Grouped.self)
    static let groupEnter = function("dispatch_group_enter", as: Operation.self)
    static let groupLeave = function("dispatch_group_leave", as: Operation.self)
    static let groupWait = function("dispatch_group_wait", as: Wait.self)
    static let blockWait = function("dispatch_block_wait", as: Wait.self)
    static let semaphoreWait = function("dispatch_semaphore_wait", as: Wait.self)
    static let semaphoreSignal = function("dispatch_semaphore_signal", as: Signal.self)
    static let suspend = function("dispatch_suspend", as: Operation.self)
    static let resume = function("dispatch_resume", as: Operation.self)
    static let activate = function("dispatch_activate", as: Operation.self)
    static let retain = function("dispatch_retain", as: Operation.self)
    static let release = function("dispatch_release", as: Operation.self)

    /// The dispatch time that means "at once".
    static let now: UInt64 = 0
    /// The dispatch time that means "never".
    static let forever = UInt64.max

    /// Returns the original function. If a sanitizer also replaces it, returns the function of the
    /// sanitizer, which must see the calls.
    static func function<Function>(_ name: String, as type: Function.Type) -> Function {
      let next = unsafe UnsafeMutableRawPointer(bitPattern: -1)
      guard let symbol = unsafe dlsym(nil, "__interceptor_\(name)") ?? dlsym(next, name) else {
        preconditionFailure("SimulatedQueues: libdispatch has no \(name)")
      }
      return unsafe unsafeBitCast(symbol, to: type)
    }

    /// Whether a group is empty. The original functions count its entries.
    static func isEmpty(_ group: UInt) -> Bool { groupWait(group, now) == 0 }

    /// Whether a wait for a semaphore would end at once.
    static func isAvailable(_ semaphore: UInt) -> Bool {
      guard semaphoreWait(semaphore, now) == 0 else { return false }
      _ = semaphoreSignal(semaphore)
      return true
    }

    /// The time of the world until a dispatch time, or nil if it is never.
    ///
    /// Rounded to microseconds, because seconds as a floating-point number are not exact.
    static func delay(until time: UInt64) -> Duration? {
      guard time != forever, let world = SimulatedWorldQueues.current else { return nil }
      // A wall time is negative: the nanoseconds since 1970.
      let wallTime = Int64(bitPattern: time)
      let delay: Duration =
        wallTime < 0
        ? .nanoseconds(0 - wallTime) - world.wallTime : .nanoseconds(Int64(clamping: time)) - world.uptime
      return max(delay.roundedToMicroseconds, .zero)
    }
  }
#endif
