//// hazard: one setter forgets the queue
import Foundation

final class SessionCache {
  private let queue = DispatchQueue(label: "session-cache")
  private var sessions: [String: Session] = [:]

  func session(_ id: String) -> Session? {
    queue.sync { sessions[id] }
  }

  func store(_ session: Session, id: String) {
    queue.async { self.sessions[id] = session }
  }

  func removeAll() {
    sessions.removeAll()  // ← here
  }
}

//// hazard: completion handler writes without the lock
import Foundation

class TokenStore {
  private let lock = NSLock()
  private var token: String?
  private let client: AuthClient
  init(client: AuthClient) { self.client = client }

  var current: String? {
    lock.lock()
    defer { lock.unlock() }
    return token
  }

  func replace(_ value: String) {
    lock.withLock { token = value }
  }

  func refresh() {
    client.refresh { [weak self] fresh in
      self?.token = fresh  // ← here
    }
  }
}

//// hazard: reader writes outside its barrier
import Foundation

final class MetricsBuffer {
  private let isolation = DispatchQueue(label: "metrics", attributes: .concurrent)
  private var samples: [Sample] = []

  func add(_ sample: Sample) {
    isolation.async(flags: .barrier) { self.samples.append(sample) }
  }

  func drain() -> [Sample] {
    let result = isolation.sync { samples }
    samples = []  // ← here
    return result
  }
}

//// hazard: unfair lock is skipped in reset
import os

final class HitCounter {
  private var unfairLock = os_unfair_lock_s()
  private var hits = 0

  func hit() {
    os_unfair_lock_lock(&unfairLock)
    hits += 1
    os_unfair_lock_unlock(&unfairLock)
  }

  func total() -> Int {
    os_unfair_lock_lock(&unfairLock)
    defer { os_unfair_lock_unlock(&unfairLock) }
    return hits
  }

  func reset() {
    hits = 0  // ← here
  }
}

//// hazard: items change on a background callback and on main
import Foundation

final class InboxViewModel {
  private(set) var messages: [Message] = []
  var onChange: (() -> Void)?
  private let mail: MailClient
  init(mail: MailClient) { self.mail = mail }

  func markRead(_ index: Int) {
    DispatchQueue.main.async { [weak self] in
      self?.messages[index].isRead = true
      self?.onChange?()
    }
  }

  func poll() {
    DispatchQueue.global().async { [weak self] in
      guard let self else { return }
      self.messages = self.mail.fetchAll()  // ← here
      DispatchQueue.main.async { self.onChange?() }
    }
  }
}

//// hazard: concurrent loop appends to a shared array
import Foundation

final class HashIndexer {
  private var hashes: [String] = []

  func index(_ files: [URL]) {
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      guard let data = try? Data(contentsOf: files[index]) else { return }
      hashes.append(Digest.hex(of: data))  // ← here
    }
  }
}

//// harmless: everything goes through the queue
import Foundation

final class SessionCache {
  private let queue = DispatchQueue(label: "session-cache")
  private var sessions: [String: Session] = [:]

  func session(_ id: String) -> Session? {
    queue.sync { sessions[id] }
  }

  func store(_ session: Session, id: String) {
    queue.async { self.sessions[id] = session }
  }

  func removeAll() {
    queue.async { self.sessions.removeAll() }
  }
}

//// harmless: helper asserts that it runs on the queue
import Foundation

final class TransferQueue {
  private let queue = DispatchQueue(label: "transfers")
  private var pending: [Transfer] = []

  func add(_ transfer: Transfer) {
    queue.async {
      self.pending.append(transfer)
      self.startNext()
    }
  }

  private func startNext() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !pending.isEmpty else { return }
    pending.removeFirst().start()
  }
}

//// harmless: init writes before anyone can share the object
import Foundation

final class LanguageTable {
  private let lock = NSLock()
  private var names: [String: String]

  init(defaults: [String: String]) {
    names = defaults
    names["en"] = "English"
  }

  subscript(code: String) -> String? {
    get { lock.withLock { names[code] } }
    set { lock.withLock { names[code] = newValue } }
  }
}

//// harmless: another property is not guarded by the lock
import UIKit

@MainActor
final class GalleryController: UIViewController {
  private let queue = DispatchQueue(label: "decode")
  private var selected = 0

  func show(_ data: Data) {
    selected += 1
    queue.async {
      let image = UIImage(data: data)
      DispatchQueue.main.async { self.title = image == nil ? "Broken" : "Photo" }
    }
  }
}

//// harmless: private method that is called with the lock held
import Foundation

final class LRUCache {
  private let lock = NSLock()
  private var order: [String] = []

  func touch(_ key: String) {
    lock.lock()
    defer { lock.unlock() }
    moveToFront(key)
  }

  func clear() {
    lock.withLock { order = [] }
  }

  private func moveToFront(_ key: String) {
    order.removeAll { $0 == key }
    order.insert(key, at: 0)
  }
}

//// harmless: mutex owns its value
import Synchronization

final class HitCounter: Sendable {
  private let hits = Mutex(0)

  func hit() { hits.withLock { $0 += 1 } }
  func reset() { hits.withLock { $0 = 0 } }
}

//// harmless: the main actor writes in a function that a detached task awaits
import Foundation

final class SyncModel {
  private var message = ""

  func sync() {
    Task.detached { [self] in
      await fail("offline")
    }
  }

  @MainActor
  private func fail(_ text: String) { message = text }

  func reset() {
    DispatchQueue.main.async { self.message = "" }
  }
}

//// harmless: the mark says that the functions are called on the queue
import Foundation

final class Engine: @unchecked Sendable {
  private let queue = DispatchQueue(label: "engine")
  private var waiting: [Call] = []

  func send(_ call: Call) { queue.async { self.waiting.append(call) } }
  func close() { queue.async { self.waiting = [] } }

  // MARK: Calls, on the queue

  func remove(_ id: Int) { waiting.removeAll { $0.id == id } }
}

//// harmless: a result is made on the queue
import Foundation

final class Posts: @unchecked Sendable {
  private let queue = DispatchQueue(label: "posts")
  private var unreceived: Set<Int> = []

  func reset() { queue.async { self.unreceived = [] } }
  func close() { queue.sync { unreceived = [] } }

  func select(_ id: Int) throws {
    let result = queue.sync { Result { emitOnce(try check(id)) } }
    try result.get()
  }

  private func check(_ id: Int) throws -> Int { id }

  private func emitOnce(_ id: Int) {
    guard unreceived.insert(id).inserted else { return }
    print(id)
  }
}

//// hazard: pthread mutex, written outside
import Foundation

final class Pool {
  private var mutex = pthread_mutex_t()
  private var free: [Connection] = []
  func put(_ connection: Connection) {
    pthread_mutex_lock(&mutex); defer { pthread_mutex_unlock(&mutex) }
    free.append(connection)
  }
  func get() -> Connection? {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return free.popLast()
  }
  func drain() {
    free.forEach { $0.close() }
    free = []  // ← here
  }
}

//// hazard: semaphore as lock
import Foundation

final class Ring {
  private let semaphore = DispatchSemaphore(value: 1)
  private var items: [Int] = []
  func push(_ item: Int) { semaphore.wait(); defer { semaphore.signal() }; items.append(item) }
  func pop() -> Int? { semaphore.wait(); defer { semaphore.signal() }; return items.popLast() }
  func clear() { items.removeAll() }  // ← here
}

//// hazard: a subscript on the queue, and a merge off it
import Foundation

final class Settings {
  private let access = DispatchQueue(label: "settings")
  private var values: [String: Any] = [:]
  subscript(key: String) -> Any? {
    get { access.sync { values[key] } }
    set { access.async { self.values[key] = newValue } }
  }
  func load(_ other: [String: Any]) { values.merge(other) { $1 } }  // ← here
}

//// harmless: subscript with the lock in both
import Foundation

final class Registry {
  private let lock = NSLock()
  private var table: [String: Int] = [:]
  subscript(name: String) -> Int? {
    get { lock.withLock { table[name] } }
    set { lock.withLock { table[name] = newValue } }
  }
}

//// harmless: semaphore that signals work
import Foundation

final class Pump {
  private let ready = DispatchSemaphore(value: 0)
  private var jobs = 0
  func post() { jobs += 1; ready.signal() }
  func take() { ready.wait(); jobs -= 1 }
}
