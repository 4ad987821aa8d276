import AsyncViewModelsSimulation

#if !canImport(Darwin)
  import Dispatch

  // Replacements of the functions of libdispatch that submit blocks. libdispatch calls its own
  // exported functions in the same way as other libraries do, so these functions also see such
  // calls.

  /// A queue whose blocks a world runs.
  struct OwnedQueue {
    let world: SimulatedWorldQueues
    let queue: SimulatedQueue

    /// The label prefixes of the queues that Foundation creates for URL sessions and their tasks.
    private static let sessionLabels = ["URLSession<", "org.swift.URLSession"]

    /// Nil if libdispatch runs the blocks of the queue.
    init?(_ address: UInt) {
      guard let world = SimulatedWorldQueues.current else { return nil }
      self.world = world
      if let known = world.queue(at: address) {
        queue = known
        return
      }
      let label = QueueLayout.label(of: address)
      if Self.sessionLabels.contains(where: { label.hasPrefix($0) }) {
        // Threads of the session use this queue, too. If the world ran blocks of this queue, the
        // session would trap.
        world.markLeft(by: "URLSession")
        return nil
      }
      if label.hasPrefix("com.apple.libdispatch") { return nil }
      LibDispatch.retain(address)
      let target = QueueLayout.target(of: address).flatMap { OwnedQueue($0)?.queue }
      queue = world.add(
        QueueLayout.kind(of: address), at: address, label: label, target: target,
        isSuspended: { QueueLayout.isSuspended(address) }, release: { LibDispatch.release(address) })
      if QueueLayout.isSuspended(address) { world.markSuspended() }
    }

    func enqueue(_ block: @escaping Block, isBarrier: Bool = false, then finish: @escaping () -> Void = {}) {
      let isBarrier = isBarrier || QueueLayout.isBarrier(block)
      let queue = queue
      world.enqueue(
        {
          Self.run(block, on: queue, isBarrier: isBarrier)
          finish()
        }, on: queue, isBarrier: isBarrier)
      world.interrupt("after a block is submitted")
    }

    func sync(_ block: @escaping Block, isBarrier: Bool, call: String) {
      let isBarrier = isBarrier || QueueLayout.isBarrier(block)
      let hasRun = world.sync(on: queue, isBarrier: isBarrier, call: "\(call) of queue \(queue.label)") {
        Self.run(block, on: queue, isBarrier: isBarrier)
      }
      // The caller expects a result, and libdispatch would end the process.
      if !hasRun { block() }
    }

    /// Runs a block on this thread, which owns the queue while the block runs. The main queue
    /// belongs to another thread, so this thread runs its blocks, and those of queues with this
    /// target, without owning the queue.
    static func run(_ block: @escaping Block, on queue: SimulatedQueue, isBarrier: Bool) {
      SimulatedWorldQueues.current?.noteCall(ofFunctionAt: QueueLayout.function(of: block))
      switch queue.kind {
      case _ where queue.runsOnMain: block()
      case .concurrent where isBarrier: LibDispatch.barrierSync(queue.address, block)
      default: LibDispatch.sync(queue.address, block)
      }
    }
  }

  /// Replaces `dispatch_async`: in a simulated world, the block becomes a job of the world.
  @_cdecl("dispatch_async")
  package func simulatedAsync(_ queue: UInt, _ block: @escaping Block) {
    guard let owned = OwnedQueue(queue) else {
      return SimulatedWorldQueues.calling("DispatchQueue.async") { LibDispatch.async(queue, block) }
    }
    owned.enqueue(block)
  }

  /// Replaces `dispatch_barrier_async`: in a simulated world, the block becomes a job that runs
  /// alone.
  @_cdecl("dispatch_barrier_async")
  package func simulatedBarrierAsync(_ queue: UInt, _ block: @escaping Block) {
    guard let owned = OwnedQueue(queue) else {
      return SimulatedWorldQueues.calling("DispatchQueue.async") { LibDispatch.barrierAsync(queue, block) }
    }
    owned.enqueue(block, isBarrier: true)
  }

  /// Replaces `dispatch_sync`: in a simulated world, waits until the block can run on the queue.
  @_cdecl("dispatch_sync")
  package func simulatedSync(_ queue: UInt, _ block: @escaping Block) {
    guard let owned = OwnedQueue(queue) else { return LibDispatch.sync(queue, block) }
    owned.sync(block, isBarrier: false, call: "DispatchQueue.sync")
  }

  /// Replaces `dispatch_barrier_sync`: in a simulated world, waits until the block can run alone on
  /// the queue.
  @_cdecl("dispatch_barrier_sync")
  package func simulatedBarrierSync(_ queue: UInt, _ block: @escaping Block) {
    guard let owned = OwnedQueue(queue) else { return LibDispatch.barrierSync(queue, block) }
    owned.sync(block, isBarrier: true, call: "DispatchQueue.sync(flags: .barrier)")
  }

  /// Replaces `dispatch_after`: in a simulated world, the block becomes a job after the delay in
  /// virtual time.
  @_cdecl("dispatch_after")
  package func simulatedAfter(_ time: UInt64, _ queue: UInt, _ block: @escaping Block) {
    guard let owned = OwnedQueue(queue) else {
      return SimulatedWorldQueues.calling("DispatchQueue.asyncAfter") {
        LibDispatch.after(time, queue, block)
      }
    }
    guard let delay = LibDispatch.delay(until: time) else { return }
    let isBarrier = QueueLayout.isBarrier(block)
    owned.world.enqueue(
      { OwnedQueue.run(block, on: owned.queue, isBarrier: isBarrier) }, on: owned.queue,
      isBarrier: isBarrier, after: delay)
  }

  /// Replaces `dispatch_apply`: in a simulated world, each iteration becomes a job, and the caller
  /// waits for all of them.
  @_cdecl("dispatch_apply")
  package func simulatedApply(
    _ iterations: Int, _ queue: UInt, _ block: @escaping @convention(block) (Int) -> Void
  ) {
    guard let owned = OwnedQueue(globalQueue(0, 0)) else {
      return LibDispatch.apply(iterations, queue, block)
    }
    var remaining = iterations
    for iteration in 0..<iterations {
      owned.world.enqueue(
        {
          block(iteration)
          remaining -= 1
        }, on: owned.queue)
    }
    owned.world.wait(in: "DispatchQueue.concurrentPerform", timeout: nil) { remaining == 0 }
  }

  private let globalQueue = LibDispatch.function(
    "dispatch_get_global_queue", as: (@convention(c) (Int, UInt) -> UInt).self)

  /// Replaces `dispatch_suspend`: a simulated world runs no block of a suspended queue.
  @_cdecl("dispatch_suspend")
  package func simulatedSuspend(_ object: UInt) {
    SimulatedWorldQueues.current?.markSuspended()
    LibDispatch.suspend(object)
  }

  /// Replaces `dispatch_resume`: a simulated world calls the handlers of a resumed timer source.
  @_cdecl("dispatch_resume")
  package func simulatedResume(_ object: UInt) {
    guard let world = SimulatedWorldQueues.current else {
      return SimulatedWorldQueues.calling("DispatchSource.resume") { LibDispatch.resume(object) }
    }
    LibDispatch.resume(object)
    world.timer(at: object)?.resume()
  }

  /// Replaces `dispatch_activate`: a simulated world calls the handlers of an activated timer
  /// source.
  @_cdecl("dispatch_activate")
  package func simulatedActivate(_ object: UInt) {
    guard let world = SimulatedWorldQueues.current else {
      return SimulatedWorldQueues.calling("DispatchSource.activate") { LibDispatch.activate(object) }
    }
    LibDispatch.activate(object)
    world.timer(at: object)?.resume()
  }
#endif
