import AsyncViewModelsSimulation

#if !canImport(Darwin)

  // Replacements of the functions of libdispatch that wait, and of those that end a wait. The
  // original objects keep their counts, also in a simulated world. Only the wait itself is
  // simulated.

  /// Replaces `dispatch_semaphore_wait`: in a simulated world, other jobs run until the semaphore
  /// is available.
  @_cdecl("dispatch_semaphore_wait")
  package func simulatedSemaphoreWait(_ semaphore: UInt, _ timeout: UInt64) -> Int {
    guard let world = SimulatedWorldQueues.current else {
      return LibDispatch.semaphoreWait(semaphore, timeout)
    }
    world.wait(in: "DispatchSemaphore.wait", timeout: LibDispatch.delay(until: timeout)) {
      LibDispatch.isAvailable(semaphore)
    }
    return LibDispatch.semaphoreWait(semaphore, LibDispatch.now)
  }

  /// Replaces `dispatch_group_wait`: in a simulated world, other jobs run until the group is empty.
  @_cdecl("dispatch_group_wait")
  package func simulatedGroupWait(_ group: UInt, _ timeout: UInt64) -> Int {
    guard let world = SimulatedWorldQueues.current else { return LibDispatch.groupWait(group, timeout) }
    world.wait(in: "DispatchGroup.wait", timeout: LibDispatch.delay(until: timeout)) {
      LibDispatch.isEmpty(group)
    }
    return LibDispatch.groupWait(group, LibDispatch.now)
  }

  /// Replaces `dispatch_block_wait`, which waits for a group: in a simulated world, the report of a
  /// deadlock names the work item instead.
  @_cdecl("dispatch_block_wait")
  package func simulatedBlockWait(_ block: UInt, _ timeout: UInt64) -> Int {
    SimulatedWorldQueues.current?.announceWait(in: "DispatchWorkItem.wait")
    return LibDispatch.blockWait(block, timeout)
  }

  /// Replaces `dispatch_group_leave`: in a simulated world, an unbalanced call fails the run, and
  /// the last call enqueues the blocks that wait for the group.
  @_cdecl("dispatch_group_leave")
  package func simulatedLeave(_ group: UInt) {
    guard let world = SimulatedWorldQueues.current else { return LibDispatch.groupLeave(group) }
    guard !LibDispatch.isEmpty(group) else {
      return world.markTrapped(in: "DispatchGroup.leave() without a matching enter()")
    }
    LibDispatch.groupLeave(group)
    world.notify()
  }

  /// Replaces `dispatch_group_notify`: in a simulated world, the block becomes a job once the group
  /// is empty.
  @_cdecl("dispatch_group_notify")
  package func simulatedNotify(_ group: UInt, _ queue: UInt, _ block: @escaping Block) {
    guard let owned = OwnedQueue(queue) else {
      return SimulatedWorldQueues.calling("DispatchGroup.notify") {
        LibDispatch.groupNotify(group, queue, block)
      }
    }
    LibDispatch.retain(group)
    let isBarrier = QueueLayout.isBarrier(block)
    owned.world.notify(
      { OwnedQueue.run(block, on: owned.queue, isBarrier: isBarrier) }, on: owned.queue, isBarrier: isBarrier,
      when: { LibDispatch.isEmpty(group) }, release: { LibDispatch.release(group) })
  }

  /// Replaces `dispatch_group_async`: in a simulated world, the block becomes a job that counts as
  /// an entry of the group.
  @_cdecl("dispatch_group_async")
  package func simulatedGroupAsync(_ group: UInt, _ queue: UInt, _ block: @escaping Block) {
    guard let owned = OwnedQueue(queue) else {
      return SimulatedWorldQueues.calling("DispatchQueue.async") {
        LibDispatch.groupAsync(group, queue, block)
      }
    }
    LibDispatch.groupEnter(group)
    LibDispatch.retain(group)
    owned.enqueue(block) {
      simulatedLeave(group)
      LibDispatch.release(group)
    }
  }
#endif
