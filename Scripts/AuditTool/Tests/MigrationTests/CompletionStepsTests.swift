import Audit
import Foundation
import Testing

@testable import Migration

/// The steps that replace work items, request numbers and dispatch groups.
@Suite("work items, request numbers and groups", .timeLimit(.minutes(5)))
struct CompletionStepsTests {
  /// The text after a step, and the reasons for which it was refused. A second run must change nothing.
  private func run(_ step: any Step, _ text: String) -> (text: String, refusals: [String]) {
    let migration = Migration(step, [SourceFile(path: "a.swift", text: text)])
    let new = migration.files.first?.new ?? text
    #expect(Migration(step, [SourceFile(path: "a.swift", text: new)]).files.isEmpty)
    return (new, migration.refused.map(\.refusal.reason))
  }

  // MARK: Work items

  /// A view model with two work items.
  private func search(
    property: String = "private var pending: DispatchWorkItem?", cancel: String = "pending?.cancel()",
    schedule: String
  ) -> String {
    """
    import Dispatch

    final class SearchViewModel {
        \(property)  // the next search
        private let queue = DispatchQueue(label: "search")
        private let pause: Double = 0.3

        func type(_ text: String) {
            \(cancel)
            guard !text.isEmpty else { return }
    \(schedule)
        }

        func search(_ text: String) {}
    }
    """
  }

  @Test(
    "a work item becomes a debouncer, in each way to write it",
    arguments: [
      """
              // Wait for a pause.
              let item = DispatchWorkItem { [weak self] in
                  self?.search(text)  // now
              }
              pending = item
              DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300), execute: item)
      """,
      """
              // Wait for a pause.
              pending = DispatchWorkItem(block: { [weak self] in
                  self?.search(text)  // now
              })
              DispatchQueue.main.asyncAfter(deadline: DispatchTime.now() + .milliseconds(300), execute: pending!)
      """,
      """
              // Wait for a pause.
              let item = DispatchWorkItem { [weak self] in
                  self?.search(text)  // now
              }
              DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300), execute: item)
              self.pending?.cancel()
              pending = item
      """,
    ])
  func debounce(schedule: String) throws {
    let result = run(DebounceStep(), search(schedule: schedule))
    #expect(
      result.text == """
        import AsyncViewModelsGCD
        import Dispatch

        final class SearchViewModel {
            private let pending = WorkItemDebouncer(delay: .milliseconds(300), queue: .main)  // the next search
            private let queue = DispatchQueue(label: "search")
            private let pause: Double = 0.3

            func type(_ text: String) {
                pending.cancel()
                guard !text.isEmpty else { return }
                // Wait for a pause.
                pending.submit { [weak self] in
                    self?.search(text)  // now
                }
            }

            func search(_ text: String) {}
        }
        """)
    #expect(result.refusals.isEmpty)
  }

  @Test("a delay and a queue of the instance make the debouncer lazy")
  func lazyDebouncer() throws {
    let result = run(
      DebounceStep(),
      search(
        schedule: """
                  let item = DispatchWorkItem { self.search(text) }
                  pending = item
                  queue.asyncAfter(deadline: .now() + pause, execute: item)
          """))
    #expect(
      result.text.contains(
        "private lazy var pending = WorkItemDebouncer(delay: .seconds(pause), queue: queue)  // the"))
    #expect(result.text.contains("        pending.submit { self.search(text) }\n    }\n"))
  }

  @Test("a cancellation directly before the schedule, and a reset after a cancellation, go")
  func redundantStatements() throws {
    let result = run(
      DebounceStep(),
      search(
        cancel: "pending?.cancel()\n        pending = nil",
        schedule: """
                  pending?.cancel()
                  let item = DispatchWorkItem { self.search(text) }
                  pending = item
                  queue.asyncAfter(deadline: .now() + 0.5, execute: item)
          """))
    #expect(result.refusals.isEmpty)
    #expect(
      result.text.contains(
        """
                guard !text.isEmpty else { return }
                pending.submit { self.search(text) }
            }
        """))
    #expect(!result.text.contains("nil"))
  }

  @Test(
    "a work item that is more than a debounce is refused",
    arguments: [
      (
        "", "let item", ".now() + 0.3", "",
        "the work item that waits is not cancelled before the next is scheduled, so both run"
      ),
      (
        "pending?.cancel()", "let item", ".now() + text.pause", "",
        "its delay is computed for each call, but a WorkItemDebouncer has one delay"
      ),
      ("pending?.cancel()", "let item", "deadline", "", "its deadline is not .now() plus a delay"),
      (
        "pending?.cancel()", "let item", ".now() + 0.3", "item.notify(queue: queue) {}",
        "its work item 'item' is used for more than a delay"
      ),
      (
        "pending?.cancel()", "let item", ".now() + 0.3", "if pending != nil {}",
        "it is used for more than a delay"
      ),
      (
        "pending = nil", "let item", ".now() + 0.3", "",
        "it is set to nil without a call of cancel(), so the work still runs"
      ),
      ("pending?.cancel()", "let other", ".now() + 0.3", "", "its work item is not made in the same block"),
    ])
  func refusedDebounce(cancel: String, item: String, deadline: String, other: String, reason: String) throws {
    let isReset = cancel == "pending = nil"
    let text = search(
      cancel: cancel,
      schedule: """
        \(isReset ? "        if text == \"\" { pending?.cancel() }\n        pending?.cancel()\n        print()" : "        print()")
                \(item) = DispatchWorkItem { self.search(text) }
                pending = item
                queue.asyncAfter(deadline: \(deadline), execute: item)
                \(other)
        """)
    let result = run(DebounceStep(), text)
    #expect(result.refusals == [reason])
    #expect(result.text == text)
  }

  @Test("a work item that other types can use is refused")
  func publicWorkItem() throws {
    let result = run(DebounceStep(), search(property: "var pending: DispatchWorkItem?", schedule: ""))
    #expect(result.refusals == ["'pending' is not private, so other types can use it"])
  }

  // MARK: Request numbers

  private func latest(
    completion: String = "(Result<[String], Error>) -> Void", returns: String = "",
    answer: String = "guard let self = self, self.requestID == id else { return }"
  ) -> String {
    """
    import Dispatch

    protocol Client {
      func find(_ text: String, then: @escaping \(completion))\(returns)
    }

    class SearchViewModel {
      private var requestID = 0
      private let client: Client
      var found: [String] = []

      func stop() { self.requestID += 1 }

      func search(_ text: String) {
        // A new request.
        requestID += 1
        let id = requestID
        found = []
        client.find(text) { [weak self] result in
          DispatchQueue.main.async {
            \(answer)
            // Only the latest.
            if case .success(let found) = result {
              self.found = found
            }
          }
        }
      }
    }
    """
  }

  @Test("a request number becomes a slot")
  func requestNumber() throws {
    let result = run(RequestSlotStep(), latest())
    #expect(result.refusals.isEmpty)
    #expect(
      result.text == """
        import AsyncViewModelsGCD
        import Dispatch

        protocol Client {
          func find(_ text: String, then: @escaping (Result<[String], Error>) -> Void)
        }

        class SearchViewModel {
          private let requestSlot = RequestSlot(queue: .main)
          private let client: Client
          var found: [String] = []

          func stop() { _ = self.requestSlot.cancel() }

          func search(_ text: String) {
            // A new request.
            found = []
            requestSlot.run { completion in
              client.find(text, then: completion)
              return .finished
            } receive: { [weak self] result in
              guard let self = self else { return }
              // Only the latest.
              if case .success(let found) = result {
                self.found = found
              }
            }
          }
        }
        """)
  }

  @Test("an answer that is received in one line, in a file with other line ends, is kept")
  func oneLine() throws {
    let text = latest(answer: "guard self?.requestID == id else { return }; self?.found = []")
      .replacingOccurrences(
        of: """
          DispatchQueue.main.async {
                  guard self?.requestID == id else { return }; self?.found = []
                  // Only the latest.
                  if case .success(let found) = result {
                    self.found = found
                  }
                }
          """,
        with: "DispatchQueue.main.async { guard self?.requestID == id else { return }; self?.found = [] }")
    let result = run(RequestSlotStep(), text.replacingOccurrences(of: "\n", with: "\r\n"))
    #expect(
      result.text.contains(
        """
            } receive: { [weak self] result in
              self?.found = []
            }
          }
        """.replacingOccurrences(of: "\n", with: "\r\n")))
  }

  @Test("a number that is no request number is no concern of the step")
  func otherNumber() throws {
    let text =
      "class PageViewModel { private var page = 0\n func next() { page += 1; let next = page; load(next) } }"
    let result = run(RequestSlotStep(), text)
    #expect(result.text == text)
    #expect(result.refusals.isEmpty)
  }

  @Test("a request that a slot cannot run is refused")
  func refusedRequest() throws {
    func reasons(_ text: String) throws -> [String] {
      let result = run(RequestSlotStep(), text)
      #expect(result.text == text)
      return result.refusals
    }
    #expect(
      try reasons(latest(completion: "([String]?, Error?) -> Void")) == [
        "the completion handler of 'find' does not take a Result with any error"
      ])
    #expect(
      try reasons(latest(returns: " -> Request")) == ["'find' returns a token, which the slot has to cancel"])
    #expect(
      try reasons(latest(answer: "print(); guard let self = self, self.requestID == id else { return }")) == [
        "an answer is compared with it elsewhere than in the first guard of a closure"
      ])
    #expect(
      try reasons(
        latest().replacingOccurrences(of: "    found = []\n", with: "    if text == \"\" { return }\n")) == [
          "code between it and the request can leave the function"
        ])
    #expect(
      try reasons(
        latest().replacingOccurrences(of: "DispatchQueue.main.async", with: "DispatchQueue.global().async"))
        == ["its answers are received neither on the main queue nor on a serial queue of the type"])
    #expect(
      try reasons(latest().replacingOccurrences(of: "    found = []\n", with: "    print(requestID)\n")) == [
        "it is used for more than the comparison of answers"
      ])
    #expect(
      try reasons(latest().replacingOccurrences(of: "protocol Client", with: "protocol Other")) == [
        "the declaration of 'find' is not in these files"
      ])
  }

  // MARK: Groups

  private func home(_ body: String) -> String {
    """
    import Dispatch

    final class HomeViewModel {
      func load() {
        let group = DispatchGroup()
    \(body)
      }
    }
    """
  }

  @Test("each completion handler of a group leaves by its entry")
  func group() throws {
    let result = run(
      CompletionGroupStep(),
      home(
        """
            group.enter()
            banners.fetch { result in
              self.queue.async {
                if let result { self.banner = result } else { return group.leave() }
                group.leave()
              }
            }
            group.enter()  // also the orders
            orders.fetch(limit: 1, completion: { _ in group.leave() })
            for id in ids {
              group.enter()
              load(id) { defer { group.leave() } }
            }
            group.notify(queue: .main) { [weak self] in self?.show() }
            group.notify(queue: queue, execute: show)
        """.replacingOccurrences(of: "execute: show", with: "execute: { show() }")))
    #expect(result.refusals.isEmpty)
    #expect(
      result.text == """
        import AsyncViewModelsGCD
        import Dispatch

        final class HomeViewModel {
          func load() {
            let group = CompletionGroup()
            let fetchEntry = group.enter()
            banners.fetch { result in
              self.queue.async {
                if let result { self.banner = result } else { return fetchEntry.leave() }
                fetchEntry.leave()
              }
            }
            let fetchEntry2 = group.enter()  // also the orders
            orders.fetch(limit: 1, completion: { _ in fetchEntry2.leave() })
            for id in ids {
              let loadEntry = group.enter()
              load(id) { defer { loadEntry.leave() } }
            }
            group.notify(on: .main) { [weak self] in self?.show() }
            group.notify(on: queue, { show() })
          }
        }
        """)
  }

  @Test(
    "a group whose leaves belong to no enter, or that blocks, is refused",
    arguments: [
      ("group.enter()\nload { group.leave() }\ngroup.wait()", "wait() blocks a thread; use notify"),
      ("group.enter()\nload(group)", "it is passed to other code"),
      ("group.enter()\nload { }", "no single statement after this enter() leaves the group"),
      (
        "load { group.leave() }\ngroup.enter()\nload { group.leave() }",
        "no enter() of the same block belongs to this leave()"
      ),
      ("group.enter()\ngroup.leave()", "the group is left outside of a completion handler"),
      (
        "group.enter()\na { group.leave() }\nb { group.leave() }",
        "no single statement after this enter() leaves the group"
      ),
      ("group.notify(queue: .main) {}", "no code enters it"),
      (
        "group.enter()\na { group.leave() }\ngroup.notify(qos: .utility, queue: q) {}",
        "its notify has a quality of service, flags or a work item"
      ),
    ])
  func refusedGroup(body: String, reason: String) throws {
    let result = run(CompletionGroupStep(), home(body))
    #expect(result.refusals == [reason])
    #expect(result.text == home(body))
  }

  @Test("a group that several functions share is refused")
  func storedGroup() throws {
    let result = run(CompletionGroupStep(), "class HomeViewModel { private let group = DispatchGroup() }")
    #expect(
      result.refusals == [
        "several functions share it, so it is unknown which call of leave() belongs to which call of enter()"
      ])
  }
}
