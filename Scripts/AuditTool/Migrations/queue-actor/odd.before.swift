import AsyncViewModels
import Foundation

protocol Svc { func get(_ done: @escaping (Int) -> Void) }

struct Outer {
  final class StorePresenter<T: Sendable> {
    private let queue = DispatchQueue(label: "a", qos: .utility, target: nil)
    private var items: [T] = [], marks: Set<Int> = []
    private var onDone: ((T) -> Void)?
    var onError: ((Error) -> Void)?
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
      queue.async { [weak self] in
        self?.reload()
      }
    }
    deinit { onDone = nil }

    func reset(_ done: @escaping (T) -> Void) {
      queue.asyncAfter(deadline: .now() + 1) { [self] in
        items = []
        onDone = done
        kind = .b
        let text = """
          count \(items.count)
            \(marks.first ?? 0)
          """
        print(text, self)
        items.forEach { onDone?($0) }
        queue.async { [weak self] in
          guard let self else { return }
          self.items.removeAll { _ in self.marks.isEmpty }
          self.svc.get { [weak self] value in
            guard let self else { return }
            self.queue.async { self.marks.insert(value) }
          }
        }
      }
    }

    func first() -> T? {
      dispatchPrecondition(condition: .notOnQueue(queue))
      return queue.sync {
        if let last = items.last, marks.contains(1) { return last }
        return nil
      }
    }

    private func reload() {
      svc.get { [weak self] n in
        self?.queue.async { self?.add(n) }
      }
      DispatchQueue.global().async { self.tell() }
      let group = DispatchGroup()
      group.notify(queue: queue) { self.changes = 0 }
    }
    private func tell() { onError?(CocoaError(.fileNoSuchFile)) }
    @discardableResult
    private func add(_ n: Int) -> Bool { marks.insert(n).inserted }
    func count(where matches: (T) -> Bool) -> Int { queue.sync { items.filter(matches).count } }
    func update<R: Sendable>(_ body: (inout [T]) throws -> R) rethrows -> R { try queue.sync { try body(&items) } }
    static func make(svc: Svc) -> StorePresenter? { StorePresenter(svc: svc, seed: []) }
  }
}
extension Outer.StorePresenter where T == Int {
  var sum: Int { queue.sync { items.reduce(0, +) } }
}
