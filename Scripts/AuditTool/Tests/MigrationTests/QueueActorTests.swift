import Audit
import Testing

@testable import Migration

@Suite("the step queue-actor", .timeLimit(.minutes(5)))
struct QueueActorTests {
  @Test(
    "a class is refused if the queue does not guard all of its state, or if an actor cannot have its form",
    arguments: [
      ("func add() { count += 1 }", "code outside of `queue` uses `count`"),
      ("var double: Int { count * 2 }", "code outside of `queue` uses `count`"),
      ("func add() { bump() }; private func bump() { count += 1 }", "code outside of `queue` uses `bump`"),
      (
        "func add() { other { self.count += 1 } }",
        "a closure uses `count`, and is not known to run on `queue`"
      ),
      (
        "func add() { DispatchQueue.main.async { self.count += 1 } }",
        "a closure uses `count`, and is not known to run on `queue`"
      ),
      (
        "func add() { Task { self.count += 1 } }",
        "a closure uses `count`, and is not known to run on `queue`"
      ),
      (
        "func add() { let item = DispatchWorkItem { self.count += 1 }; item.perform() }",
        "a closure uses `count`, and is not known to run on `queue`"
      ),
      (
        "func add() { func later() { count += 1 }; later() }",
        "a closure uses `count`, and is not known to run on `queue`"
      ),
      (
        "func add() { queue.async(execute: bump) }; private func bump() { count += 1 }",
        "code outside of `queue` uses `bump`"
      ),
      ("func add() { let n = count; queue.async { print(n) } }", "code outside of `queue` uses `count`"),
      ("func add() { queue.async { [count] in print(count) } }", "code outside of `queue` uses `count`"),
      (
        "func same(_ other: Cart) -> Bool { queue.sync { other.count == count } }",
        "it uses `count` of another object of its type"
      ),
      (
        "static func == (a: Cart, b: Cart) -> Bool { a.count == b.count }",
        "it uses `count` of another object of its type"
      ),
      ("private let lock = NSLock()", "the lock `lock` guards state, too"),
      (
        "@Published private var total = 0",
        "SwiftUI observes its properties, and no step changes that: by hand, keep the state in a `StateStore`, and let views observe it with `@StateViewModel` (page UsingSwiftUI)"
      ),
      ("@Stored private var total = 0", "a member has the attribute `@Stored`"),
      ("var total = 0", "`total` is not private, so other code can use it outside of `queue`"),
      ("private(set) var total = 0", "`total` is not private, so other code can use it outside of `queue`"),
      ("fileprivate var total = 0", "`total` is not private, so other code of the file can use it"),
      ("@objc func tapped() {}", "a member has the attribute `@objc`"),
      ("class func make() {}", "a member is `class`, which no member of an actor is"),
      ("deinit { queue.sync { count = 0 } }", "`deinit` does more than read stored properties"),
      (
        "init() { queue.async { self.count = 1 }; count = 2 }",
        "an initializer uses `count` after other code can use the object"
      ),
      ("init() { bump() }; private func bump() { count += 1 }", "code outside of `queue` uses `bump`"),
      ("private let second = DispatchQueue(label: \"b\")", "it has several queues: `queue`, `second`"),
      ("var isolation = 0", "`isolation` is there already: rename that first"),
      (
        "func add() { queue.async { [weak self] in if self?.count == 0 { print(0) } } }",
        "a closure with a weak `self` does not begin with `guard let self else { return }`"
      ),
      (
        "func add() { queue.async { [weak self] in guard let self, self.count > 0 else { return }; self.count = 0 } }",
        "`guard` does not stand on a line of its own"
      ),
      ("func path() { queue.sync { print(\\Cart.count) } }", "a key path names `count`"),
      ("#if DEBUG\nfunc reset() {}\n#endif", "it has members in `#if`"),
    ])
  func refusal(member: String, reason: String) {
    let text =
      "final class Cart {\n  private let queue = DispatchQueue(label: \"a\")\n  private var count = 0\n  \(member)\n}"
    #expect(queueRefusals(text) == [reason])
  }

  @Test(
    "a class is refused for its queue, its superclass and its protocols",
    arguments: [
      (
        "final class Cart { private let queue = DispatchQueue(label: \"a\", attributes: .concurrent); private var n = 0 }",
        "`queue` may be concurrent"
      ),
      (
        "final class Cart { private let queue: DispatchQueue = .global(); private var n = 0 }",
        "other code runs on `queue`, too: a class on the main queue becomes `@MainActor`, and state that other threads use needs a serial queue"
      ),
      (
        "final class Cart { private let queue: DispatchQueue = makeQueue(); private var n = 0 }",
        "`queue` is not made by `DispatchQueue(label:)`, so it may be concurrent"
      ),
      (
        "final class Cart { private let queue = DispatchQueue.global(); private var n = 0 }",
        "other code runs on `queue`, too: a class on the main queue becomes `@MainActor`, and state that other threads use needs a serial queue"
      ),
      (
        "final class Cart { private let queue = DispatchQueue.global(qos: .utility); private var n = 0 }",
        "other code runs on `queue`, too: a class on the main queue becomes `@MainActor`, and state that other threads use needs a serial queue"
      ),
      (
        "final class Cart { private let queue = DispatchQueue.main; private var n = 0 }",
        "other code runs on `queue`, too: a class on the main queue becomes `@MainActor`, and state that other threads use needs a serial queue"
      ),
      (
        "final class Cart { let queue = DispatchQueue(label: \"a\"); private var n = 0 }",
        "`queue` is not a private constant"
      ),
      (
        "final class Cart { private let queue = DispatchQueue(label: \"a\") }",
        "`queue` guards no private state"
      ),
      (
        "final class Cart: NSObject { private let queue = DispatchQueue(label: \"a\"); private var n = 0 }",
        "`NSObject` is not a protocol in the files: it may be a class, or need one"
      ),
      (
        "class Base {}\nfinal class Cart: Base { private let queue = DispatchQueue(label: \"a\"); private var n = 0 }",
        "it is a subclass of `Base`"
      ),
      (
        "class Cart { private let queue = DispatchQueue(label: \"a\"); private var n = 0 }\nclass Sub: Cart {}",
        "`Sub` is a subclass, which can override its properties"
      ),
      (
        "@objc protocol P {}\nfinal class Cart: P { private let queue = DispatchQueue(label: \"a\"); private var n = 0 }",
        "an actor cannot conform to `P`"
      ),
      (
        "final class Cart: Codable { private let queue = DispatchQueue(label: \"a\"); private var n = 0 }",
        "it is `Codable`, so its properties are the format of its data"
      ),
      (
        "open class Cart { private let queue = DispatchQueue(label: \"a\"); private var n = 0 }",
        "it is open, and an actor has no subclasses"
      ),
    ])
  func form(text: String, reason: String) { #expect(queueRefusals(text) == [reason]) }

  @Test("a change of a store's state belongs to the queue, and other code can read it")
  func store() {
    func text(_ member: String) -> String {
      """
      final class Cart {
        private let queue = DispatchQueue(label: "a")
        let store = StateStore(State())
        private(set) var state: State {
          get { store.value }
          set { store.send(newValue) }
        }
        \(member)
      }
      """
    }
    #expect(
      queueRefusals(text("func add() { state.count += 1 }")) == ["code outside of `queue` uses `state`"])
    #expect(
      queueRefusals(text("func add() { state.items.append(1) }")) == ["code outside of `queue` uses `state`"])
    let read = Migration(
      QueueActorStep(), [SourceFile(path: "a.swift", text: text("var count: Int { state.count }"))],
      only: ["Cart"])
    #expect(read.refused.isEmpty)
    #expect(read.files[0].new.contains("nonisolated var count: Int { state.count }"))
  }

  @Test("a queue that other code shares guards nothing, and stays beside the own queue")
  func sharedQueue() {
    let text = """
      final class Cart {
        private let queue = DispatchQueue(label: "a")
        private let main = DispatchQueue.main
        private let other = DispatchQueue.global(qos: .utility)
        private var count = 0
        func add(_ done: @escaping () -> Void) { queue.async { self.count += 1; self.main.async { done() } } }
      }
      """
    let migration = Migration(QueueActorStep(), [SourceFile(path: "a.swift", text: text)], only: ["Cart"])
    #expect(migration.refused.isEmpty)
    #expect(migration.files.first?.new.contains("actor Cart") == true)
    #expect(
      queueRefusals(text.replacing("queue.async {", with: "other.async {"))
        == ["a closure uses `count`, and is not known to run on `queue`"])
  }

  private func queueRefusals(_ text: String) -> [String] {
    let migration = Migration(QueueActorStep(), [SourceFile(path: "a.swift", text: text)], only: ["Cart"])
    #expect(migration.diff == "")
    return migration.refused.map(\.refusal.reason)
  }
}
