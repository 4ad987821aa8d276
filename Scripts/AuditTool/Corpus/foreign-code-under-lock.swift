//// hazard: observers are called inside withLock
import Foundation

final class ThemeCenter {
  private let lock = NSLock()
  private var observers: [UUID: (Theme) -> Void] = [:]
  private var theme = Theme.light

  func apply(_ theme: Theme) {
    lock.withLock {
      self.theme = theme
      observers.values.forEach { notify in notify(theme) }  // ← here
    }
  }
}

//// hazard: delegate is told before the deferred unlock
import Foundation

protocol DownloadQueueDelegate: AnyObject { func queueDidFinish(_ queue: DownloadQueue) }

final class DownloadQueue {
  weak var delegate: DownloadQueueDelegate?
  private let mutex = NSRecursiveLock()
  private var remaining = 0

  func finishOne() {
    mutex.lock()
    defer { mutex.unlock() }
    remaining -= 1
    if remaining == 0 {
      delegate?.queueDidFinish(self)  // ← here
    }
  }
}

//// hazard: notification is posted between lock and unlock
import os

final class ReachabilityState {
  private var gate = os_unfair_lock()
  private var online = false

  func update(_ value: Bool) {
    os_unfair_lock_lock(&gate)
    online = value
    NotificationCenter.default.post(name: .reachabilityChanged, object: self)  // ← here
    os_unfair_lock_unlock(&gate)
  }
}

//// hazard: completion handler runs in the critical section
import Foundation

final class TokenVault {
  private let lock = NSLock()
  private var waiters: [(String) -> Void] = []

  func deliver(_ token: String) {
    lock.lock()
    for waiter in waiters {
      waiter(token)  // ← here
    }
    waiters.removeAll()
    lock.unlock()
  }
}

//// hazard: factory closure of a generic cache
import Synchronization

final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Mutex<[Key: Value]>([:])

  func value(_ key: Key, make: (Key) -> Value) -> Value {
    values.withLock { values in
      if let known = values[key] { return known }
      let new = make(key)  // ← here
      values[key] = new
      return new
    }
  }
}

//// hazard: subject sends with the lock held
import Combine
import Foundation

final class BatteryMonitor {
  private let lock = NSLock()
  private let subject = PassthroughSubject<Int, Never>()
  private var level = 100

  func set(_ new: Int) {
    lock.lock(); defer { lock.unlock() }
    guard new != level else { return }
    level = new
    subject.send(new)  // ← here
  }
}

//// hazard: continuations are resumed under the lock
import os

final class Gate {
  private let state = OSAllocatedUnfairLock(initialState: [CheckedContinuation<Void, Never>]())

  func open() {
    state.withLock { waiting in
      for continuation in waiting { continuation.resume() }  // ← here
      waiting = []
    }
  }
}

//// harmless: observers are copied and called after the unlock
import Foundation

final class ThemeCenter {
  private let lock = NSLock()
  private var observers: [UUID: (Theme) -> Void] = [:]

  func apply(_ theme: Theme) {
    let current = lock.withLock { Array(observers.values) }
    current.forEach { $0(theme) }
  }
}

//// harmless: unlock stands before the delegate call
import Foundation

final class DownloadQueue {
  weak var delegate: DownloadQueueDelegate?
  private let mutex = NSLock()
  private var remaining = 0

  func finishOne() {
    mutex.lock()
    remaining -= 1
    let isDone = remaining == 0
    mutex.unlock()
    if isDone { delegate?.queueDidFinish(self) }
  }
}

//// harmless: the closure is scheduled, and not called
import Foundation

final class TokenVault {
  private let lock = NSLock()
  private var waiters: [(String) -> Void] = []

  func deliver(_ token: String) {
    lock.lock()
    defer { lock.unlock() }
    for waiter in waiters {
      DispatchQueue.main.async { waiter(token) }
    }
    waiters.removeAll()
  }
}

//// harmless: a map over values with a pure closure
import Foundation

final class PriceTable {
  private let lock = NSLock()
  private var prices: [String: Double] = [:]

  func raised(by percent: Double) -> [String: Double] {
    lock.withLock {
      prices.mapValues { $0 * (1 + percent / 100) }
    }
  }
}

//// harmless: own private method under the lock
import Foundation

final class RingLog {
  private let lock = NSLock()
  private var lines: [String] = []

  func append(_ line: String) {
    lock.lock()
    defer { lock.unlock() }
    lines.append(line)
    trim()
  }

  private func trim() {
    if lines.count > 500 { lines.removeFirst(lines.count - 500) }
  }
}

//// harmless: continuations are taken out and resumed later
import os

final class Gate {
  private let state = OSAllocatedUnfairLock(initialState: [CheckedContinuation<Void, Never>]())

  func open() {
    let waiting = state.withLock { stored in
      let all = stored
      stored = []
      return all
    }
    for continuation in waiting { continuation.resume() }
  }
}

//// harmless: an optional subscriber is taken out under the lock
import Synchronization

final class Subscription: Sendable {
  private struct Guarded { var subscriber: (any EventSubscriber)? }
  private let guarded = Mutex(Guarded())
  private let observer = PeekableObserver()

  func cancel() {
    let subscriber = guarded.withLock { $0.subscriber.take() }
    subscriber?.end()
  }

  var hasElement: Bool { guarded.withLock { $0.subscriber != nil && observer.peek() } }
}

//// harmless: the caller's closure runs within the call
import Synchronization

final class Runs: Sendable {
  private let runs = Mutex<[Int: Run]>([:])

  func start(_ id: Int, _ make: (Int) -> Run) -> Run {
    runs.withLock { runs in
      let run = make(id)
      runs[id] = run
      return run
    }
  }
}

//// harmless: a predicate looks at the state
import Synchronization

final class Monitor: Sendable {
  private let state = Mutex(State())

  func register(_ waiter: Waiter, until condition: @escaping @Sendable (State) -> Bool) {
    let isMet = state.withLock { state in
      if condition(state) { return true }
      state.waiters.append(waiter)
      return false
    }
    if isMet { waiter.wake() }
  }
}

//// harmless: the object is made with a factory of its part
import Synchronization

final class Transport: Sendable {
  private let worker = Mutex<Worker?>(nil)
  private let makeWorker: @Sendable () -> Worker?

  init(makeWorker: @escaping @Sendable () -> Worker?) { self.makeWorker = makeWorker }

  func send(_ request: Request) {
    let current = worker.withLock { worker in
      worker = worker ?? makeWorker()
      return worker
    }
    current?.start(request)
  }
}

//// hazard: an observer that the object is made with is called under the lock
import Synchronization

final class Progress: Sendable {
  private let value = Mutex(0.0)
  private let onChange: @Sendable (Double) -> Void

  init(onChange: @escaping @Sendable (Double) -> Void) { self.onChange = onChange }

  func add(_ part: Double) {
    value.withLock { value in
      value += part
      onChange(value)  // ← here
    }
  }
}

//// hazard: continuation yield under the lock
import Foundation

final class Hub {
  private let lock = NSLock()
  private var continuations: [UUID: AsyncStream<Int>.Continuation] = [:]
  func send(_ value: Int) {
    lock.lock()
    defer { lock.unlock() }
    continuations.values.forEach { $0.yield(value) }  // ← here
  }
  func stream() -> AsyncStream<Int> {
    AsyncStream { continuation in
      let id = UUID()
      lock.withLock { continuations[id] = continuation }
      continuation.onTermination = { _ in self.lock.withLock { self.continuations[id] = nil } }
    }
  }
}

//// hazard: finish under the lock that the termination takes
import Foundation

final class Broadcaster {
  private let lock = NSLock()
  private var sinks: [UUID: AsyncStream<Int>.Continuation] = [:]
  func stream() -> AsyncStream<Int> {
    AsyncStream { sink in
      let id = UUID()
      lock.withLock { sinks[id] = sink }
      sink.onTermination = { [weak self] _ in self?.remove(id) }
    }
  }
  private func remove(_ id: UUID) { lock.withLock { sinks[id] = nil } }
  func close() {
    lock.lock()
    for sink in sinks.values { sink.finish() }  // ← here
    lock.unlock()
  }
}

//// harmless: finish outside
import Foundation

final class Broadcaster {
  private let lock = NSLock()
  private var sinks: [UUID: AsyncStream<Int>.Continuation] = [:]
  func stream() -> AsyncStream<Int> {
    AsyncStream { sink in
      let id = UUID()
      lock.withLock { sinks[id] = sink }
      sink.onTermination = { [weak self] _ in self?.remove(id) }
    }
  }
  private func remove(_ id: UUID) { lock.withLock { sinks[id] = nil } }
  func close() {
    let all = lock.withLock { Array(sinks.values) }
    all.forEach { $0.finish() }
  }
}

//// harmless: readers of a concurrent queue
import Foundation
final class SocketClient {
  weak var delegate: SocketDelegate?
  private let readQueue = DispatchQueue(label: "read", attributes: .concurrent)
  private let stateQueue: DispatchQueue
  init() { stateQueue = DispatchQueue(label: "state", qos: .utility, attributes: [.concurrent]) }
  func read() { readQueue.sync { process() } }
  func tell() { stateQueue.sync { delegate?.executed() } }
  private func process() { delegate?.executed() }
}

//// hazard: a barrier on a concurrent queue
final class Switchboard {
  weak var delegate: SocketDelegate?
  private let queue = DispatchQueue(label: "board", attributes: .concurrent)
  func connect() { queue.sync(flags: .barrier) { delegate?.executed() } }  // ← here
}
