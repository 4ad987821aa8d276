//// hazard: guard returns with the lock held
import Foundation

final class SessionStore {
  private let lock = NSLock()
  private var sessions: [String: Session] = [:]

  func session(for key: String) -> Session? {
    lock.lock()
    guard let session = sessions[key] else { return nil }  // ← here
    lock.unlock()
    return session
  }
}

//// hazard: a throw skips the unlock
import os

final class LedgerWriter {
  private var unfair = os_unfair_lock()
  private var entries: [Entry] = []

  func append(_ entry: Entry) throws {
    os_unfair_lock_lock(&unfair)
    try entry.validate()  // ← here
    entries.append(entry)
    os_unfair_lock_unlock(&unfair)
  }
}

//// hazard: unlock only in one branch
import Foundation

class RateLimiter {
  let mutex = NSRecursiveLock()
  var tokens = 10

  func take() -> Bool {
    mutex.lock()
    if tokens > 0 {
      tokens -= 1
      mutex.unlock()
      return true
    }
    return false  // ← here
  }
}

//// hazard: pthread mutex and an early exit from a loop
import Foundation

final class JobTable {
  private var mutex = pthread_mutex_t()
  private var jobs: [Job] = []

  init() { pthread_mutex_init(&mutex, nil) }

  func cancel(_ id: Int) {
    pthread_mutex_lock(&mutex)
    for job in jobs where job.id == id {
      job.cancel()
      return  // ← here
    }
    pthread_mutex_unlock(&mutex)
  }
}

//// hazard: a semaphore as mutex is not signaled in a case
import Foundation

final class PrinterSpool {
  private let gate = DispatchSemaphore(value: 1)
  private var pages: [Page] = []

  func next(kind: PageKind) -> Page? {
    gate.wait()
    switch kind {
    case .color:
      let page = pages.popLast()
      gate.signal()
      return page
    case .blank:
      return nil  // ← here
    }
  }
}

//// hazard: locks twice instead of unlocking
import os

final class CounterBox {
  private let lock = OSAllocatedUnfairLock()
  private var value = 0

  func increment() -> Int {
    lock.lock()
    value += 1
    let now = value
    lock.lock()  // ← here
    return now
  }
}

//// harmless: defer unlocks
import Foundation

final class SessionStore {
  private let lock = NSLock()
  private var sessions: [String: Session] = [:]

  func session(for key: String) -> Session? {
    lock.lock()
    defer { lock.unlock() }
    guard let session = sessions[key], session.isValid else { return nil }
    return session
  }
}

//// harmless: each branch unlocks before it returns
import Foundation

class RateLimiter {
  private let mutex = NSRecursiveLock()
  private var tokens = 10

  func take() -> Bool {
    mutex.lock()
    if tokens > 0 {
      tokens -= 1
      mutex.unlock()
      return true
    } else {
      mutex.unlock()
      return false
    }
  }
}

//// harmless: lock wrapped in a helper with a closure
import os

final class LedgerWriter {
  private var unfair = os_unfair_lock()
  private var entries: [Entry] = []

  private func locked<T>(_ body: () throws -> T) rethrows -> T {
    os_unfair_lock_lock(&unfair)
    defer { os_unfair_lock_unlock(&unfair) }
    return try body()
  }

  func append(_ entry: Entry) throws {
    try locked {
      try entry.validate()
      entries.append(entry)
    }
  }
}

//// harmless: lock and unlock are forwarded by a wrapper type
import Foundation

final class UnfairLock: NSLocking {
  private let inner = NSLock()
  func lock() { inner.lock() }
  func unlock() { inner.unlock() }
}

//// harmless: the throw is caught and the unlock follows
import Foundation

final class DraftSaver {
  private let lock = NSLock()
  private var isDirty = false

  func save(_ draft: Draft) -> Bool {
    var saved = true
    lock.lock()
    do {
      try draft.write()
      isDirty = false
    } catch {
      saved = false
    }
    lock.unlock()
    return saved
  }
}

//// harmless: try lock gives up at once
import Foundation

final class Compactor {
  private let lock = NSLock()
  private var runs = 0

  func compactIfIdle() {
    guard lock.try() else { return }
    defer { lock.unlock() }
    runs += 1
  }
}

//// harmless: a wait gives the lock of its caller away and takes it back
import Foundation

func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, in world: World) -> Bool {
  guard world.isRunning else { return false }
  pthread_mutex_unlock(mutex)
  world.wait()
  pthread_mutex_lock(mutex)
  return true
}

//// hazard: pthread rwlock
import Foundation

final class Table {
  private var rwlock = pthread_rwlock_t()
  private var rows: [Int: Row] = [:]
  func row(_ id: Int) -> Row? {
    pthread_rwlock_rdlock(&rwlock)
    if let row = rows[id] { return row }  // ← here
    pthread_rwlock_unlock(&rwlock)
    return nil
  }
}
