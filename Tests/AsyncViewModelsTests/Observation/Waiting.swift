import Synchronization
@testable import AsyncViewModels

extension ObservableState {
  /// How many tasks are suspended in a `next()` of this state's observers.
  var parkedCount: Int {
    storage.guarded.withLock { $0.waiting.count + ($0.history?.parkedCount ?? 0) }
  }
}

extension EventChannel {
  /// How many tasks are suspended in a `next()` of this channel's observers.
  var parkedCount: Int { storage.parkedCount }
}

extension EventStorage {
  var parkedCount: Int { guarded.withLock { $0.waiting.count } }
}

extension WaiterList {
  var count: Int {
    var count = 0
    var waiter = first
    while let current = waiter {
      count += 1
      waiter = current.next
    }
    return count
  }
}
