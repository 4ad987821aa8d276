import AsyncViewModels
import Foundation

protocol Svc { func get(_ done: @escaping (Int) -> Void) }

struct Outer {
  actor StorePresenter<T: Sendable> {
    private let isolation = QueueIsolation(DispatchQueue(label: "a", qos: .utility, target: nil))
    private nonisolated var queue: DispatchQueue { isolation.queue }
    nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }
    private var items: [T] = [], marks: Set<Int> = []
    private var onDone: ((T) -> Void)?
    // TODO: [migrate] Is `onError` set before its first use, or only on one queue? The actor does
    // not guard it.
    nonisolated(unsafe) var onError: ((Error) -> Void)?
    private let svc: Svc
    enum Kind { case a, b }
    private var kind = Kind.a { didSet { changes += 1 } }
    private var changes = 0
    private lazy var total: Int = items.count
    init?(svc: Svc, seed: [T]) {
      guard !seed.isEmpty else { return nil }
      self.svc = svc
      items = seed
      marks.insert(1)
      isolation.queue.async { [weak self] in
        self?.assumeIsolated { model in
          model.reload()
        }
      }
    }
    deinit { onDone = nil }

    nonisolated func reset(_ done: @escaping (T) -> Void) {
      queue.asyncAfter(deadline: .now() + 1) { [self] in
        self.assumeIsolated { model in
          model.items = []
          model.onDone = done
          model.kind = .b
          let text = """
            count \(model.items.count)
              \(model.marks.first ?? 0)
            """
          print(text, model)
          model.items.forEach { model.onDone?($0) }
          model.queue.async { [weak self] in
            guard let self else { return }
            self.assumeIsolated { model in
              model.items.removeAll { _ in model.marks.isEmpty }
              model.svc.get { [weak self] value in
                guard let self else { return }
                self.queue.async { self.assumeIsolated { (model) -> Void in model.marks.insert(value) } }
              }
            }
          }
        }
      }
    }

    nonisolated func first() -> T? {
      dispatchPrecondition(condition: .notOnQueue(queue))
      return queue.sync {
        self.assumeIsolated { model in
          if let last = model.items.last, model.marks.contains(1) { return last }
          return nil
        }
      }
    }

    private nonisolated func reload() {
      svc.get { [weak self] n in
        self?.queue.async { self?.assumeIsolated { (model) -> Void in model.add(n) } }
      }
      DispatchQueue.global().async { self.tell() }
      let group = DispatchGroup()
      group.notify(queue: queue) { self.assumeIsolated { $0.changes = 0 } }
    }
    private nonisolated func tell() { onError?(CocoaError(.fileNoSuchFile)) }
    @discardableResult
    private func add(_ n: Int) -> Bool { marks.insert(n).inserted }
    nonisolated func count(where matches: (T) -> Bool) -> Int { queue.sync { self.assumeIsolated { $0.items.filter(matches).count } } }
    nonisolated func update<R: Sendable>(_ body: (inout [T]) throws -> R) rethrows -> R { try queue.sync { try self.assumeIsolated { try body(&$0.items) } } }
    static func make(svc: Svc) -> StorePresenter? { StorePresenter(svc: svc, seed: []) }
  }
}
extension Outer.StorePresenter where T == Int {
  nonisolated var sum: Int { queue.sync { self.assumeIsolated { $0.items.reduce(0, +) } } }
}
