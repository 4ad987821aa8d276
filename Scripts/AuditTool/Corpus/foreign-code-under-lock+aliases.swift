//// harmless: an alias of a closure that runs in place
import Foundation

typealias DatabaseBlock = (Database) -> Void

final class DatabaseQueue {
  private let lock = NSLock()
  private let database = Database()

  func run(_ block: DatabaseBlock) {
    lock.lock()
    defer { lock.unlock() }
    block(database)
  }
}

//// hazard: an alias of an optional closure escapes
import Foundation

typealias ChangeHandler = ((Int) -> Void)?

final class Counter {
  private let lock = NSLock()
  private var value = 0

  func add(_ handler: ChangeHandler) {
    lock.lock()
    defer { lock.unlock() }
    value += 1
    handler?(value)  // ← here
  }
}
