import Audit
import Testing

@testable import Migration

@Suite("the step actor", .timeLimit(.minutes(5)))
struct ActorStepTests {
  private func reasons(_ member: String, _ rest: String = "", inherited: String = "") -> [String] {
    refusals(
      ActorStep(),
      """
      actor Cart\(inherited) {
        private let isolation = QueueIsolation(DispatchQueue(label: "a"))
        private nonisolated var queue: DispatchQueue { isolation.queue }
        nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }
        private var count = 0
        \(member)
      }
      \(rest)
      """)
  }

  @Test(
    "an actor keeps its queue if code uses it, or enters an actor from it",
    arguments: [
      (
        "nonisolated func add() { queue.async { print(1) } }", "",
        "the queue is in use: `queue.async { print(1) }`; await here first"
      ),
      (
        "", "func add(_ cart: Cart) { cart.assumeIsolated { _ in } }",
        "the queue is in use: `cart.assumeIsolated`; await here first"
      ),
      (
        "nonisolated func read() { queue.sync { self.assumeIsolated { print($0.count) } } }", "",
        "a caller that cannot wait enters the actor: `queue.sync { self.assumeIsolated { print($0.count) } }`; make that async first"
      ),
      (
        "nonisolated var twice: Int { return queue.sync { self.assumeIsolated { $0.count } } * 2 }", "",
        "a caller that cannot wait enters the actor: `queue.sync { self.assumeIsolated { $0.count } }`; make that async first"
      ),
      (
        "func add() { queue.async { self.assumeIsolated { $0.count += 1 } } }", "",
        "`queue.async { self.assumeIsolated { $0.count += 1 } }` runs after work that is in the queue already, and direct code would run before it"
      ),
      (
        "nonisolated func add() { print(1); queue.async { self.assumeIsolated { $0.count += 1 } } }", "",
        "the queue is in use: `queue.async { self.assumeIsolated { $0.count += 1 } }`; await here first"
      ),
    ])
  func queueInUse(member: String, rest: String, reason: String) {
    #expect(reasons(member, rest) == [reason])
  }

  @Test(
    "the work of an intent stays on the queue if a caller goes on without it",
    arguments: [
      (
        "func tap(_ cart: Cart) { cart.add() }",
        "`cart.add` is called where code goes on without its work; await it there first"
      ),
      (
        "func tap(_ cart: Cart) { Task { cart.add(); print(1) } }",
        "`cart.add` is called where code goes on without its work; await it there first"
      ),
      (
        "func tap(_ cart: Cart) -> Task<Void, Never> { Task { cart.add() } }",
        "`cart.add` is called where code goes on without its work; await it there first"
      ),
      ("func tap(_ cart: Cart) { run(cart.add) }", "`add` is used as a closure, which does not wait"),
    ])
  func callers(code: String, reason: String) {
    let add = "nonisolated func add() { queue.async { self.assumeIsolated { $0.count += 1 } } }"
    #expect(reasons(add, code) == [reason])
    #expect(
      reasons("public " + add, "") == ["`add` is public, and its callers in other modules do not await it"])
    #expect(
      reasons(add + "; private func both() { add(); count = 0 }")
        == ["the actor calls `add`, whose work would run before other work in the queue"])
    #expect(
      reasons(add, "protocol Adding { func add() }", inherited: ": Adding")
        == ["callers of `Adding` do not await `add`"])
  }

  @Test("a continuation that is not resumed at the end keeps the queue")
  func continuation() {
    #expect(
      reasons(
        "nonisolated func value() async -> Int { await withCheckedContinuation { done in queue.async { self.assumeIsolated { model in done.resume(returning: 1); model.count = 2 } } } }"
      ) == ["`value` does not resume its continuation once, in its last statement"])
  }
}
