import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

@Suite("peekable observers", .timeLimit(.minutes(5)), .endsWaits)
struct PeekableObserverTests {
  @Test("peek says what a poll would find, and reads nothing", arguments: BufferingPolicy.kinds)
  func peek(buffering: BufferingPolicy) {
    let state = StateStore(1)
    let observer = state.storage.peekableObserver(buffering)
    let handover = EventHandover()
    #expect(observer.peek() == .element)
    #expect(observer.peek() == .element)
    #expect(element(observer.poll(handover)) == 1)
    #expect(observer.peek() == .nothing)
    #expect(element(observer.poll(handover)) == nil)
    state.send(2)
    #expect(observer.peek() == .element)
    #expect(element(observer.poll(handover)) == 2)
    state.finish()
    #expect(observer.peek() == .ended)
  }

  @Test("an observer that has left has ended", arguments: BufferingPolicy.kinds)
  func leaving(buffering: BufferingPolicy) {
    let state = StateStore(1)
    let observer = state.storage.peekableObserver(buffering)
    observer.leave()
    #expect(observer.peek() == .ended)
    #expect(state.observerCount == 0)
  }

  @Test("a wait ends at the next change, and reads nothing", arguments: BufferingPolicy.kinds)
  func waiting(buffering: BufferingPolicy) async throws {
    let state = StateStore(1)
    let observer = state.storage.peekableObserver(buffering)
    await observer.waitForSomething()
    #expect(await observer.next(EventHandover()) == 1)
    async let wait: Void = observer.waitForSomething()
    try await until { state.waitingCount == 1 }
    state.send(2)
    await wait
    #expect(observer.peek() == .element)
    #expect(await observer.next(EventHandover()) == 2)
  }

  @Test("a kept event that the reader does not handle returns to its channel")
  func keptEvent() async {
    let channel = EventChannel<Int>()
    let makeObserver = channel.makePeekableObserver
    let observer = makeObserver(.unbounded)
    #expect(observer.peek() == .nothing)
    channel.keepForFirstObserver(7)
    #expect(observer.peek() == .element)
    let handover = EventHandover()
    #expect(await observer.next(handover) == 7)
    #expect(observer.peek() == .nothing)
    handover.giveBack()
    #expect(observer.peek() == .element)
    #expect(element(observer.poll(EventHandover())) == 7)
  }

  private func element<Element>(_ found: Poll<Element>) -> Element? {
    if case .element(let element) = found { element } else { nil }
  }
}
