import Foundation

protocol Loading: AnyObject {
  func load(_ id: Int)
}

// The styles that people write.
final class CachePresenter<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  private let queue: DispatchQueue = DispatchQueue(label: "cache", qos: .utility)
  private var values: [Key: Value] = [:]  // guarded by `queue`
  private var limit = 10

  convenience init(limit: Int) {
    self.init()
    queue.async { self.limit = limit }
  }

  init() {}

  subscript(key: Key) -> Value? {
    get { queue.sync { values[key] } }
    set { queue.async(flags: .barrier) { self.values[key] = newValue } }
  }

  func value(for key: Key) throws -> Value {
    try queue.sync {
      guard let value = values[key] else { throw CocoaError(.fileNoSuchFile) }
      return value
    }
  }

  static func == (left: CachePresenter, right: CachePresenter) -> Bool { left === right }
}

final class PlayerPresenter: Loading, CustomStringConvertible {
  weak var owner: Loading?
  let name: String
  private let queue = DispatchQueue(label: "player")
  private var current: Int?
  private lazy var history: [Int] = []
  private var timer: DispatchWorkItem? {
    didSet { oldValue?.cancel() }
  }

  init(name: String) { self.name = name }

  var description: String { "Player \(name)" }

  func load(_ id: Int) {
    queue.async { [weak self] in self?.play(id) }
  }

  // An overload that the queue calls.
  private func load() {
    dispatchPrecondition(condition: .onQueue(queue))
    history.append(current ?? 0)
  }

  func replay() {
    queue.async { [weak self] in
      guard let strongSelf = self else { return }
      // The newest one.
      strongSelf.load()
      strongSelf.owner?.load(1)
    }
  }

  func stop() {
    queue.async { [unowned self] in
      if let current {
        print(current, name)
      }
      self.current = nil
    }
  }
}

extension PlayerPresenter {
  private func play(_ id: Int) {
    current = id
    let item = DispatchWorkItem { [weak self] in
      guard let self = self, self.current == id else { return }
      self.load()
    }
    timer = item
    queue.asyncAfter(deadline: .now() + 1, execute: item)
  }
}
