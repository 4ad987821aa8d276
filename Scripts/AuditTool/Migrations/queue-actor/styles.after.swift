import AsyncViewModels
import Foundation

protocol Loading: AnyObject {
  func load(_ id: Int)
}

// The styles that people write.
actor CachePresenter<Key: Hashable & Sendable, Value: Sendable> {
  private let isolation = QueueIsolation(DispatchQueue(label: "cache", qos: .utility))
  private nonisolated var queue: DispatchQueue { isolation.queue }
  nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }
  private var values: [Key: Value] = [:]  // guarded by `queue`
  private var limit = 10

  init(limit: Int) {
    self.init()
    isolation.queue.async { self.assumeIsolated { $0.limit = limit } }
  }

  init() {}

  nonisolated subscript(key: Key) -> Value? {
    get { queue.sync { self.assumeIsolated { $0.values[key] } } }
    set { queue.async(flags: .barrier) { self.assumeIsolated { $0.values[key] = newValue } } }
  }

  nonisolated func value(for key: Key) throws -> Value {
    try queue.sync {
      try self.assumeIsolated { model in
        guard let value = model.values[key] else { throw CocoaError(.fileNoSuchFile) }
        return value
      }
    }
  }

  static func == (left: CachePresenter, right: CachePresenter) -> Bool { left === right }
}

actor PlayerPresenter: Loading, CustomStringConvertible {
  // TODO: [migrate] Is `owner` set before its first use, or only on one queue? The actor does not
  // guard it.
  nonisolated(unsafe) weak var owner: Loading?
  nonisolated let name: String
  private let isolation = QueueIsolation(DispatchQueue(label: "player"))
  private nonisolated var queue: DispatchQueue { isolation.queue }
  nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }
  private var current: Int?
  private lazy var history: [Int] = []
  private var timer: DispatchWorkItem? {
    didSet { oldValue?.cancel() }
  }

  init(name: String) { self.name = name }

  nonisolated var description: String { "Player \(name)" }

  nonisolated func load(_ id: Int) {
    queue.async { [weak self] in self?.assumeIsolated { $0.play(id) } }
  }

  // An overload that the queue calls.
  private func load() {
    dispatchPrecondition(condition: .onQueue(queue))
    history.append(current ?? 0)
  }

  nonisolated func replay() {
    queue.async { [weak self] in
      guard let strongSelf = self else { return }
      strongSelf.assumeIsolated { model in
        // The newest one.
        model.load()
        model.owner?.load(1)
      }
    }
  }

  nonisolated func stop() {
    queue.async { [unowned self] in
      self.assumeIsolated { model in
        if let current = model.current {
          print(current, model.name)
        }
        model.current = nil
      }
    }
  }
}

extension PlayerPresenter {
  private func play(_ id: Int) {
    current = id
    let item = DispatchWorkItem { [weak self] in
      guard let self = self else { return }
      self.assumeIsolated { model in
        guard model.current == id else { return }
        model.load()
      }
    }
    timer = item
    queue.asyncAfter(deadline: .now() + 1, execute: item)
  }
}
