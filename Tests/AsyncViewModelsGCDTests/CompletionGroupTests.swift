import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("CompletionGroup", .timeLimit(.minutes(5)), .endsWaits)
struct CompletionGroupTests {
  private let queue = DispatchQueue(label: "group")

  @Test("the group notifies on the queue after the last entry has left, not before")
  func notifiesAfterTheLast() async {
    let group = CompletionGroup()
    let log = DeliveryLog<String>()
    let (first, second) = (group.enter(), group.enter())
    group.notify(on: queue) { [queue] in
      dispatchPrecondition(condition: .onQueue(queue))
      log.append("done")
    }
    first.leave()
    await queue.run { log.append("first left") }
    second.leave()
    await queue.drain()
    #expect(log.values == ["first left", "done"])
  }

  @Test("an entry that leaves twice counts once")
  func cannotLeaveTwice() async {
    let group = CompletionGroup()
    let log = DeliveryLog<String>()
    let (first, second) = (group.enter(), group.enter())
    group.notify(on: queue) { log.append("done") }
    first.leave()
    first.leave()
    await queue.run { log.append("twice") }
    second.leave()
    await queue.drain()
    #expect(log.values == ["twice", "done"])
  }

  @Test("an entry leaves if its completion handler is released uncalled")
  func leavesOnDeinit() async {
    let group = CompletionGroup()
    do {
      let entry = group.enter()
      let completion: @Sendable () -> Void = { entry.leave() }
      _ = completion
    }
    await withCheckedContinuation { continuation in
      group.notify(on: queue) { continuation.resume() }
    }
  }

  @Test("an empty group notifies at once")
  func empty() async {
    let group = CompletionGroup()
    await withCheckedContinuation { continuation in
      group.notify(on: queue) { continuation.resume() }
    }
  }

  @Test("if entries leave twice on many threads, the group notifies once and does not crash")
  func race() async {
    for _ in 0..<500 {
      let group = CompletionGroup()
      let notified = Atomic(0)
      let entries = (0..<4).map { _ in group.enter() }
      group.notify(on: queue) { notified.add(1, ordering: .relaxed) }
      DispatchQueue.concurrentPerform(iterations: 8) { entries[$0 % 4].leave() }
      await queue.drain()
      #expect(notified.load(ordering: .relaxed) == 1)
    }
  }
}
