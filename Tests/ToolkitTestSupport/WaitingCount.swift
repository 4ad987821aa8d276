import Synchronization

@testable import AsyncViewModels

extension StateStore {
  /// The number of tasks that are suspended in a `next()` of this state's observers.
  package var waitingCount: Int {
    storage.guarded.withLock { $0.waiting.count + ($0.history?.waitingCount ?? 0) }
  }
}

extension EventChannel {
  /// The number of tasks that are suspended in a `next()` of this channel's observers.
  package var waitingCount: Int { storage.waitingCount }

  /// The number of sent events that are in the buffers of this channel's observers.
  package var bufferedCount: Int {
    storage.guarded.withLock { $0.buffers.reduce(0) { $0 + $1.elements.count } }
  }
}

extension EventStorage {
  package var waitingCount: Int { guarded.withLock { $0.waiting.count } }
}

extension WaiterList {
  package var count: Int {
    var count = 0
    var waiter = first
    while let current = waiter {
      count += 1
      waiter = current.next
    }
    return count
  }
}
