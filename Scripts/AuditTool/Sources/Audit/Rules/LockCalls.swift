import SwiftSyntax

/// What a call does to a lock, and which lock.
enum LockCall {
  case lock(String)
  case unlock(String)

  init?(_ call: FunctionCallExprSyntax) {
    let name = call.name
    if lockingFunctions.contains(name),
      let lock = call.arguments.first
    {
      self = .lock(Path(lock.expression)?.text ?? lock.expression.code)
    } else if unlockingFunctions.contains(name),
      let lock = call.arguments.first
    {
      self = .unlock(Path(lock.expression)?.text ?? lock.expression.code)
    } else if ["lock", "unlock"].contains(name), call.arguments.isEmpty, call.closures.isEmpty,
      let receiver = call.receiver, receiver.code != "super",
      // `guard let lock = try files.lock()` is no mutex.
      call.parent?.is(CodeBlockItemSyntax.self) == true
        || call.parent?.is(OptionalChainingExprSyntax.self) == true
    {
      let text = Path(receiver)?.text ?? receiver.code
      self = name == "lock" ? .lock(text) : .unlock(text)
    } else if name == "objc_sync_enter" {
      self = .lock("objc_sync")
    } else if name == "objc_sync_exit" {
      self = .unlock("objc_sync")
    } else {
      return nil
    }
  }
}

private let lockingFunctions: Set = [
  "os_unfair_lock_lock", "pthread_mutex_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock",
  "OSSpinLockLock",
]
private let unlockingFunctions: Set = [
  "os_unfair_lock_unlock", "pthread_mutex_unlock", "pthread_rwlock_unlock", "OSSpinLockUnlock",
]
private let scopedLocks: Set = [
  "withLock", "withLockUnchecked", "withLockIfAvailable", "whileLocked", "locked", "withLockVoid",
]

/// The names of calls that lock, as `LockCall`, `scopedLock` and `sync` know them.
let lockNames = lockingFunctions.union(unlockingFunctions).union(scopedLocks).union([
  "lock", "unlock", "objc_sync_enter", "objc_sync_exit", "sync",
])

/// The lock that the closure of a call holds: `lock.withLock { … }`.
func scopedLock(_ call: FunctionCallExprSyntax) -> String? {
  guard scopedLocks.contains(call.name) else { return nil }
  return call.receiver.map { Path($0)?.text ?? $0.code } ?? "self"
}
