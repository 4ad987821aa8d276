import SwiftSyntax

/// What a call does to a lock, and which lock.
enum LockCall {
  case lock(String)
  case unlock(String)

  init?(_ call: FunctionCallExprSyntax) {
    let name = call.name
    if ["os_unfair_lock_lock", "pthread_mutex_lock", "OSSpinLockLock"].contains(name),
      let lock = call.arguments.first
    {
      self = .lock(Path(lock.expression)?.text ?? lock.expression.code)
    } else if ["os_unfair_lock_unlock", "pthread_mutex_unlock", "OSSpinLockUnlock"].contains(name),
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

/// The names of calls that lock, as `LockCall`, `scopedLock` and `sync` know them.
let lockNames: Set = [
  "os_unfair_lock_lock", "pthread_mutex_lock", "OSSpinLockLock", "lock", "objc_sync_enter", "sync",
  "os_unfair_lock_unlock", "pthread_mutex_unlock", "OSSpinLockUnlock", "unlock", "objc_sync_exit",
  "withLock", "withLockUnchecked", "withLockIfAvailable", "whileLocked", "locked", "withLockVoid",
]

/// The lock that the closure of a call holds: `lock.withLock { … }`.
func scopedLock(_ call: FunctionCallExprSyntax) -> String? {
  guard
    ["withLock", "withLockUnchecked", "withLockIfAvailable", "whileLocked", "locked", "withLockVoid"]
      .contains(call.name)
  else {
    return nil
  }
  return call.receiver.map { Path($0)?.text ?? $0.code } ?? "self"
}
