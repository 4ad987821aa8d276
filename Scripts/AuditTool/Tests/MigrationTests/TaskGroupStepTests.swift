import Audit
import Testing

@testable import Migration

@Suite("completion groups become task groups", .timeLimit(.minutes(5)))
struct TaskGroupStepTests {
  /// A function with a group in a type of a kind, and a service with its async twin.
  private func text(
    _ body: String, modifiers: String = "", type: String = "final class HomeViewModel", members: String = ""
  ) -> String {
    """
    import AsyncViewModelsGCD

    protocol Service {
      func load(_ id: Int, completion: @escaping (Result<String, Error>) -> Void)
      func clear(completion: @escaping () -> Void)
      func save(completion: @escaping (Result<String, SaveError>) -> Void)
      func old(completion: @escaping () -> Void)
    }
    protocol AsyncService: Sendable {
      func load(_ id: Int) async throws -> String
      func clear() async throws
      func save() async throws -> String
    }
    struct ServiceAdapter: AsyncService, @unchecked Sendable { let service: any Service }

    \(type) {
      private let service: any Service
      private var title = ""
      \(members)
      \(modifiers)func load(_ ids: [Int]) {
    \(body.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
      }
    }
    """
  }

  private static let part = "let e = g.enter()\nservice.clear { e.leave() }\n"
  private static let end = "\ng.notify(on: .main) { print(1) }"

  private static let refused: [(body: String, reason: String)] = [
    ("\(part)g.notify(on: queue) { print(1) }", "its notification does not run on the main queue"),
    (part, "it does not have exactly one notification in `load`"),
    ("\(part)\(end)\(end)", "it does not have exactly one notification in `load`"),
    ("\(part)\(end)\nprint(2)", "code after the notification would run before the calls"),
    ("\(part)print(2)\(end)", "`print(2)` would run later, with the calls: move it before the group"),
    ("\(part)g.notify(on: .main, work)", "its notification has no closure that is written there"),
    (
      "let e = g.enter()\nservice.old { e.leave() }\(end)",
      "`service.old` has no async twin: run the step async-twin first"
    ),
    (
      "let e = g.enter()\nfetch { e.leave() }\(end)",
      "`fetch` is not a function of a service that is a property"
    ),
    (
      "let e = g.enter()\nrequest = service.clear { e.leave() }\(end)",
      "its request is kept, and can end without the others"
    ),
    (
      "let e = g.enter()\nservice.save { _ in e.leave() }\(end)",
      "the handler of `save` gets an error of a certain type, or two closures"
    ),
    (
      "let e = g.enter()\nservice.load(next()) { _ in e.leave() }\(end)",
      "read `next()` into a constant before the group"
    ),
    (
      "let e = g.enter()\nservice.load(1) { e.leave() ; print($0) }\(end)",
      "name the values of this handler"
    ),
    (
      "let e = g.enter()\nservice.clear { other { e.leave() } }\(end)",
      "its entry leaves in a closure that runs later"
    ),
    (
      "let e = g.enter()\nservice.clear { for id in ids { if id == 1 { return e.leave() } } }\(end)",
      "a loop of a handler returns"
    ),
    (
      "let e = g.enter()\nservice.clear { self.title = \"a\"; e.leave() }\(end)",
      "a handler uses the object outside of the main queue: go to the main queue first"
    ),
    (
      "let e = g.enter()\nservice.clear { DispatchQueue.main.async { self.title = \"a\"; e.leave() } }\ng.notify(on: .main) { [weak self] in self?.title = \"b\" }",
      "some of its closures have a weak `self`, and others a strong one"
    ),
    (
      "let e = g.enter()\nservice.clear { [unowned self] in title = \"a\"; e.leave() }\(end)",
      "a closure has an unowned `self`"
    ),
    (
      "let e = g.enter()\nservice.clear { [ids] in print(ids); e.leave() }\(end)",
      "a closure captures `ids`: use the name itself"
    ),
    (
      "\(part)for id in ids where id > 1 {\nlet e = g.enter()\nservice.load(id) { _ in e.leave() }\n}\(end)",
      "its loop has a condition or a pattern, or its sequence is no constant"
    ),
    (
      "\(part)for id in ids {\nlet e = g.enter()\nservice.load(id) { _ in e.leave() }\n}\(end)",
      "it has calls in a loop, and others: make two groups"
    ),
    (
      "var count = start()\n\(part)g.notify(on: .main) { print(count) }",
      "`start()` would be made later, with the calls"
    ),
    (
      "let e = g.enter()\nlet f = g.enter()\nservice.clear { e.leave() }\(end)",
      "two entries stand before one call"
    ),
    (
      "let e = g.enter()\nservice.clear { e.leave() }\nshare(g)\(end)",
      "`share(g)` would run later, with the calls: move it before the group"
    ),
    (
      "let parts = DispatchQueue(label: \"p\")\nlet e = g.enter()\nservice.clear { parts.async { print(1) }; e.leave() }\(end)",
      "a handler uses `parts` for more than its place in the order"
    ),
    (
      "let e = g.enter()\nservice.clear { // soon\ne.leave() }\(end)",
      "the comment `// soon` has no place in a task group"
    ),
  ]

  @Test(
    "a group is refused if a task would change what happens, or if a call has no async twin",
    arguments: refused)
  func refusal(body: String, reason: String) {
    #expect(refusals(TaskGroupStep(), text("let g = CompletionGroup()\n" + body)) == [reason])
  }

  @Test("a variable that other code has used before the group is refused")
  func usedVariable() {
    let body = "var count = 0\ncount += 1\nlet g = CompletionGroup()\n" + Self.part
    #expect(
      refusals(TaskGroupStep(), text(body + "g.notify(on: .main) { print(count) }"))
        == ["`count` is used before the group, and belongs to its handlers"])
  }

  @Test("a group needs a function that runs in the isolation of its type")
  func isolation() {
    let members = """
      private let isolation = QueueIsolation(DispatchQueue(label: "a"))
        private nonisolated var queue: DispatchQueue { isolation.queue }
      """
    func reasons(_ body: String, _ modifiers: String = "") -> [String] {
      refusals(
        TaskGroupStep(),
        text(
          "let g = CompletionGroup()\n" + Self.part + body, modifiers: modifiers, type: "actor HomeViewModel",
          members: members))
    }
    let own = "g.notify(on: queue) { self.assumeIsolated { $0.title = \"b\" } }"
    #expect(
      reasons(own, "nonisolated ")
        == ["the group is not made in a function of the object: move it into one"])
    #expect(
      reasons("g.notify(on: .main) { print(1) }") == [
        "its notification does not run on the queue of the actor"
      ])
    #expect(
      reasons("g.notify(on: queue) { [weak self] in self?.title = \"b\" }")
        == ["a task with a weak `self` does not run on the actor: capture `self` strongly"])
    let nested = text("queue.async {\nlet g = CompletionGroup()\n" + Self.part + own + "\n}")
    #expect(
      refusals(TaskGroupStep(), nested)
        == ["the group is not made in a function of the object: move it into one"])
  }
}
