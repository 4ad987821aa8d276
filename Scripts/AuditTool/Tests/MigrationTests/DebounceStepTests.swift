import Audit
import Testing

@testable import Migration

@Suite("work items become debouncers", .timeLimit(.minutes(5)))
struct DebounceStepTests {
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
    let result = runTwice(DebounceStep(), search(schedule: schedule))
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
    let result = runTwice(
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
    let result = runTwice(
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
    let result = runTwice(DebounceStep(), text)
    #expect(result.refusals == [reason])
    #expect(result.text == text)
  }

  @Test("a work item that other types can use is refused")
  func publicWorkItem() throws {
    let result = runTwice(DebounceStep(), search(property: "var pending: DispatchWorkItem?", schedule: ""))
    #expect(result.refusals == ["'pending' is not private, so other types can use it"])
  }
}
