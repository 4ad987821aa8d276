import AsyncViewModelsSimulation

#if !canImport(Darwin)

  // Replacements of the functions behind `dispatchPrecondition`. The threads of a world do not own
  // the main queue, so the world answers for this queue and for queues with this target.

  private enum Assertion {
    static let isOn = LibDispatch.function("dispatch_assert_queue", as: LibDispatch.Operation.self)
    static let isBarrier = LibDispatch.function(
      "dispatch_assert_queue_barrier", as: LibDispatch.Operation.self)
    static let isNotOn = LibDispatch.function("dispatch_assert_queue_not", as: LibDispatch.Operation.self)

    /// Fails the run unless the expectation holds. Returns false if libdispatch has to check it.
    static func checks(_ queue: UInt, expectsOn: Bool, call: String) -> Bool {
      guard let owned = OwnedQueue(queue), owned.queue.runsOnMain else { return false }
      if owned.world.isRunning(on: owned.queue) != expectsOn {
        owned.world.markTrapped(in: "dispatchPrecondition(condition: .\(call)) of queue \(owned.queue.label)")
      }
      return true
    }
  }

  /// Replaces `dispatch_assert_queue`.
  @_cdecl("dispatch_assert_queue")
  package func simulatedAssert(_ queue: UInt) {
    if !Assertion.checks(queue, expectsOn: true, call: "onQueue") { Assertion.isOn(queue) }
  }

  /// Replaces `dispatch_assert_queue_barrier`.
  @_cdecl("dispatch_assert_queue_barrier")
  package func simulatedAssertBarrier(_ queue: UInt) {
    if !Assertion.checks(queue, expectsOn: true, call: "onQueueAsBarrier") { Assertion.isBarrier(queue) }
  }

  /// Replaces `dispatch_assert_queue_not`.
  @_cdecl("dispatch_assert_queue_not")
  package func simulatedAssertNot(_ queue: UInt) {
    if !Assertion.checks(queue, expectsOn: false, call: "notOnQueue") { Assertion.isNotOn(queue) }
  }
#endif
