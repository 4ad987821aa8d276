import AsyncViewModelsSimulation

#if !canImport(Darwin)
  import Dispatch
  import AsyncViewModelsTesting

  /// The world that runs the blocks of a queue, or nil if libdispatch runs them.
  private func owner(of queue: UInt) -> (world: SimulatedWorldQueues, identity: DispatchQueueIdentity)? {
    guard let world = SimulatedWorldQueues.current else { return nil }
    let identity = LibDispatch.identity(of: queue)
    guard !identity.belongsToURLSession else {
      // Threads of the session use this queue, too. If the world ran blocks of this queue, the session would trap.
      world.markLeft()
      return nil
    }
    return (world, identity)
  }

  /// Replaces `dispatch_async`: in a simulated world, the block becomes a job of the world.
  @_cdecl("dispatch_async")
  public func simulatedAsync(_ queue: UInt, _ block: @escaping Block) {
    guard let (world, identity) = owner(of: queue) else { return LibDispatch.async(queue, block) }
    world.enqueue(LibDispatch.job(block, on: queue), on: identity)
  }

  /// Replaces `dispatch_sync`: in a simulated world, runs the waiting blocks of the queue and then the block.
  /// The waiting blocks of a global queue do not run.
  @_cdecl("dispatch_sync")
  public func simulatedSync(_ queue: UInt, _ block: @escaping Block) {
    guard let (world, identity) = owner(of: queue) else { return LibDispatch.sync(queue, block) }
    world.flush(identity)
    LibDispatch.run(block, on: queue)
  }

  /// Replaces `dispatch_after`: in a simulated world, the block becomes a job after the delay in virtual time.
  @_cdecl("dispatch_after")
  public func simulatedAfter(_ time: UInt64, _ queue: UInt, _ block: @escaping Block) {
    guard let (world, identity) = owner(of: queue) else {
      return LibDispatch.after(time, queue, block)
    }
    guard time != DispatchTime.distantFuture.rawValue else { return }
    let now = DispatchTime.now().rawValue
    let delay = Duration.nanoseconds(time > now ? Int64(clamping: time - now) : 0)
    world.enqueue(LibDispatch.job(block, on: queue), on: identity, after: delay)
  }

  /// Replaces `dispatch_group_enter`: in a simulated world, the world counts the entries of the group.
  @_cdecl("dispatch_group_enter")
  public func simulatedEnter(_ group: UInt) {
    guard let world = SimulatedWorldQueues.current else { return LibDispatch.groupEnter(group) }
    world.enter(group)
  }

  /// Replaces `dispatch_group_leave`: in a simulated world, the last leave enqueues the blocks that wait for the group.
  @_cdecl("dispatch_group_leave")
  public func simulatedLeave(_ group: UInt) {
    guard let world = SimulatedWorldQueues.current else { return LibDispatch.groupLeave(group) }
    world.leave(group)
  }

  /// Replaces `dispatch_group_notify`: in a simulated world, the block becomes a job once the group is empty.
  @_cdecl("dispatch_group_notify")
  public func simulatedNotify(_ group: UInt, _ queue: UInt, _ block: @escaping Block) {
    guard let (world, identity) = owner(of: queue) else {
      return LibDispatch.groupNotify(group, queue, block)
    }
    let job = LibDispatch.job(block, on: queue)
    world.notify(group) { world.enqueue(job, on: identity) }
  }

  /// Replaces `dispatch_group_async`: in a simulated world, the block becomes a job that counts as an entry of the group.
  @_cdecl("dispatch_group_async")
  public func simulatedGroupAsync(
    _ group: UInt, _ queue: UInt, _ block: @escaping Block
  ) {
    guard let (world, identity) = owner(of: queue) else {
      return LibDispatch.groupAsync(group, queue, block)
    }
    let job = LibDispatch.job(block, on: queue)
    world.enter(group)
    world.enqueue(
      {
        job(); world.leave(group)
      }, on: identity)
  }
#endif
