import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@Suite("CallbackRelay", .timeLimit(.minutes(5)), .endsWaits)
struct CallbackRelayTests {
  private let queue = DispatchQueue(label: "observers")

  @Test("each observer receives the latest value first, then every later one in order")
  func everyValue() async {
    let state = CallbackState(0)
    let source = DispatchQueue(label: "source")
    let relay = CallbackRelay(state.value) { state.bind(on: source, $0) }
    let (first, second) = (DeliveryLog<Int>(), DeliveryLog<Int>())
    await source.drain()
    let firstToken = relay.observe(on: queue) { first.append($0) }
    for value in 1...100 { state.send(value) }
    await source.drain()
    let secondToken = relay.observe(on: queue) { second.append($0) }
    for value in 101...200 { state.send(value) }
    await source.drain()
    await queue.drain()
    #expect(first.values == Array(0...200))
    #expect(second.values == Array(100...200))
    withExtendedLifetime((firstToken, secondToken)) {}
  }

  @Test("an observer that arrives before the binding has delivered receives the value of the initializer")
  func firstValue() async {
    let relay = CallbackRelay(7) { _ in .finished }
    let log = DeliveryLog<Int>()
    let token = Holder<CancellationToken>()
    await queue.run { [queue] in
      token.set(relay.observe(on: queue) { log.append($0) })
      #expect(log.values.isEmpty, "called within observe")
    }
    await queue.drain()
    #expect(log.values == [7])
    token.clear()
  }

  @Test("an observer that has left receives nothing more, and the others still do")
  func leaving() async {
    let send = Holder<@Sendable (Int) -> Void>()
    let relay = CallbackRelay(0) { observer in
      send.set(observer)
      return .finished
    }
    let (leaver, other) = (DeliveryLog<Int>(), DeliveryLog<Int>())
    let token = relay.observe(on: queue) { leaver.append($0) }
    let otherToken = relay.observe(on: queue) { other.append($0) }
    await queue.drain()
    token.cancel()
    send.value?(1)
    await queue.drain()
    #expect(leaver.values == [0])
    #expect(other.values == [0, 1])
    withExtendedLifetime(otherToken) {}
  }

  @Test("the release of the relay cancels its binding, and releases the observers with their tokens")
  func release() async throws {
    let isCancelled = Gate()
    try await LeakTracker.check { tracker in
      let relay = CallbackRelay(0) { _ in CancellationToken { isCancelled.open() } }
      tracker.track(relay)
      let log = tracker.track(DeliveryLog<Int>())
      let token = relay.observe(on: queue) { log.append($0) }
      await queue.drain()
      withExtendedLifetime(token) {}
    }
    #expect(isCancelled.isOpen)
  }

  @Test("a value whose deinit uses the relay is released outside its lock")
  func reentrantDeinit() async {
    let send = Holder<@Sendable (Reentrant) -> Void>()
    let holder = Holder<CallbackRelay<Reentrant>>()
    let relay = CallbackRelay(Reentrant(0)) { observer in
      send.set(observer)
      return .finished
    }
    holder.set(relay)
    let token = relay.observe(on: queue) { _ in }
    for number in 1...3 {
      send.value?(
        Reentrant(number) { [queue] in
          withExtendedLifetime(holder.value?.observe(on: queue) { _ in }) {}
        })
      await queue.drain()
    }
    holder.clear()
    withExtendedLifetime(token) {}
  }

  @Test("observers that join and leave during 1,000 sends receive increasing values")
  func joinAndLeave() async {
    let send = Holder<@Sendable (Int) -> Void>()
    let relay = CallbackRelay(0) { observer in
      send.set(observer)
      return .finished
    }
    await withTaskGroup { group in
      group.addTask { for value in 1...1_000 { send.value?(value) } }
      for number in 0..<3 {
        group.addTask {
          let queue = DispatchQueue(label: "observer \(number)")
          for _ in 0..<100 {
            let log = DeliveryLog<Int>()
            let token = relay.observe(on: queue) { log.append($0) }
            await queue.drain()
            token.cancel()
            #expect(!log.values.isEmpty)
            #expect(log.values == log.values.sorted())
          }
        }
      }
    }
  }
}
