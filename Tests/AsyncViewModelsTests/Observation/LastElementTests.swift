import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

@Suite("LastElement", .timeLimit(.minutes(5)), .endsWaits)
struct LastElementTests {
  private struct Element: Equatable, Sendable {
    let object: Reentrant

    static func == (left: Element, right: Element) -> Bool { left.object.number == right.object.number }
  }

  @Test("only an element that differs from the previous element is a change")
  func changes() {
    let last = LastElement<Int>()
    #expect([1, 1, 2, 1, 1].map { last.changes(to: $0) } == [true, false, true, true, false])
  }

  @Test("a replaced element is released outside the lock, so its deinit may use the LastElement")
  func release() {
    let last = LastElement<Element>()
    let answers = DeliveryLog<Bool>()
    _ = last.changes(
      to: Element(object: Reentrant(1) { answers.append(last.changes(to: Element(object: Reentrant(3)))) }))
    #expect(last.changes(to: Element(object: Reentrant(2))))
    #expect(answers.values == [true])
    #expect(!last.changes(to: Element(object: Reentrant(3))))
  }
}
