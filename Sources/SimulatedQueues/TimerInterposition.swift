import AsyncViewModelsSimulation

#if !canImport(Darwin)
  import Foundation

  // Replacements of the functions for dispatch sources. In a simulated world, the original source
  // of a timer exists, but has neither a schedule nor handlers. It keeps only its states: suspended
  // and cancelled.

  private enum Source {
    typealias Create = @convention(c) (UInt, UInt, UInt, UInt) -> UInt
    typealias SetTimer = @convention(c) (UInt, UInt64, UInt64, UInt64) -> Void
    typealias SetHandler = @convention(c) (UInt, UInt) -> Void
    typealias Read = @convention(c) (UInt) -> UInt

    static let create = LibDispatch.function("dispatch_source_create", as: Create.self)
    static let setTimer = LibDispatch.function("dispatch_source_set_timer", as: SetTimer.self)
    static let setEventHandler = LibDispatch.function(
      "dispatch_source_set_event_handler", as: SetHandler.self)
    static let setCancelHandler = LibDispatch.function(
      "dispatch_source_set_cancel_handler", as: SetHandler.self)
    static let setRegistrationHandler = LibDispatch.function(
      "dispatch_source_set_registration_handler", as: SetHandler.self)
    static let cancel = LibDispatch.function("dispatch_source_cancel", as: LibDispatch.Operation.self)
    static let data = LibDispatch.function("dispatch_source_get_data", as: Read.self)
    static let isCancelled = LibDispatch.function("dispatch_source_testcancel", as: LibDispatch.Signal.self)
    static let globalQueue = LibDispatch.function(
      "dispatch_get_global_queue", as: (@convention(c) (Int, UInt) -> UInt).self)
    static let timerType = unsafe UInt(bitPattern: dlsym(nil, "_dispatch_source_type_timer"))

    /// The block at an address. The runtime has no metadata for an optional block, so the functions
    /// pass addresses.
    static func block(_ address: UInt) -> Block? {
      address == 0 ? nil : unsafe unsafeBitCast(address, to: Block.self)
    }

    static func timer(at source: UInt) -> SimulatedTimerSource? {
      SimulatedWorldQueues.current?.timer(at: source)
    }
  }

  /// Replaces `dispatch_source_create`: in a simulated world, a timer uses virtual time. All other
  /// sources wait for something outside the world, so they fail the run.
  @_cdecl("dispatch_source_create")
  package func simulatedSourceCreate(_ type: UInt, _ handle: UInt, _ mask: UInt, _ queue: UInt) -> UInt {
    let source = Source.create(type, handle, mask, queue)
    guard let world = SimulatedWorldQueues.current else { return source }
    guard type == Source.timerType else {
      world.markLeft(by: "DispatchSource (other than a timer)")
      return source
    }
    if let owned = OwnedQueue(queue == 0 ? Source.globalQueue(0, 0) : queue) {
      world.addTimer(
        at: source, on: owned.queue, isSuspended: { QueueLayout.isSuspended(source) },
        isCancelled: { Source.isCancelled(source) != 0 })
    }
    return source
  }

  /// Replaces `dispatch_source_set_timer`: the timers of a simulated world use virtual time.
  @_cdecl("dispatch_source_set_timer")
  package func simulatedSetTimer(_ source: UInt, _ start: UInt64, _ interval: UInt64, _ leeway: UInt64) {
    guard let timer = Source.timer(at: source) else {
      return Source.setTimer(source, start, interval, leeway)
    }
    let isRepeating = interval < UInt64(Int64.max)
    timer.schedule(
      after: LibDispatch.delay(until: start),
      repeating: isRepeating ? .nanoseconds(max(Int64(interval), 1)) : nil)
  }

  /// Replaces `dispatch_source_set_event_handler`.
  @_cdecl("dispatch_source_set_event_handler")
  package func simulatedSetEventHandler(_ source: UInt, _ handler: UInt) {
    guard let timer = Source.timer(at: source) else { return Source.setEventHandler(source, handler) }
    timer.eventHandler = Source.block(handler)
  }

  /// Replaces `dispatch_source_set_cancel_handler`.
  @_cdecl("dispatch_source_set_cancel_handler")
  package func simulatedSetCancelHandler(_ source: UInt, _ handler: UInt) {
    guard let timer = Source.timer(at: source) else { return Source.setCancelHandler(source, handler) }
    timer.cancelHandler = Source.block(handler)
  }

  /// Replaces `dispatch_source_set_registration_handler`.
  @_cdecl("dispatch_source_set_registration_handler")
  package func simulatedSetRegistrationHandler(_ source: UInt, _ handler: UInt) {
    guard let timer = Source.timer(at: source) else { return Source.setRegistrationHandler(source, handler) }
    timer.registrationHandler = Source.block(handler)
  }

  /// Replaces `dispatch_source_cancel`: a simulated world stops the timer and calls its cancel
  /// handler.
  @_cdecl("dispatch_source_cancel")
  package func simulatedSourceCancel(_ source: UInt) {
    Source.cancel(source)
    Source.timer(at: source)?.cancel()
  }

  /// Replaces `dispatch_source_get_data`: the number of times that a timer has fired since its last
  /// event.
  @_cdecl("dispatch_source_get_data")
  package func simulatedSourceData(_ source: UInt) -> UInt {
    guard let timer = Source.timer(at: source) else { return Source.data(source) }
    return UInt(timer.fireCount)
  }

  /// Replaces `dispatch_retain`, to know how long the app needs a timer source.
  @_cdecl("dispatch_retain")
  package func simulatedRetain(_ object: UInt) {
    Source.timer(at: object)?.references += 1
    LibDispatch.retain(object)
  }

  /// Replaces `dispatch_release`: a simulated world stops a timer source that the app has released.
  @_cdecl("dispatch_release")
  package func simulatedRelease(_ object: UInt) {
    if let world = SimulatedWorldQueues.current, let timer = world.timer(at: object) {
      timer.references -= 1
      if timer.references == 0 {
        timer.stop()
        world.removeTimer(at: object)
      }
    }
    LibDispatch.release(object)
  }
#endif
