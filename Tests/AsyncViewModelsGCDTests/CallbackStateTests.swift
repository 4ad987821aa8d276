import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("CallbackState", .timeLimit(.minutes(5)), .endsWaits)
struct CallbackStateTests {
  let queue = DispatchQueue(label: "observer")

  @Test("an observer receives the current value first, then every later one in order")
  func currentThenEveryLaterValue() async {
    let log = DeliveryLog<Int>()
    let state = CallbackState(0)
    state.send(1)
    let token = state.bind(on: queue) { log.append($0) }
    for value in 2...500 { state.send(value) }
    #expect(state.value == 500)
    await queue.drain()
    #expect(log.values == Array(1...500))
    token.cancel()
  }

  @Test("the observer runs on its queue, never inside bind or send")
  func runsOnItsQueue() async {
    let log = DeliveryLog<Int>()
    let state = CallbackState(0)
    let token = Mutex<CancellationToken?>(nil)
    await queue.run { [queue] in
      let bound = state.bind(on: queue) {
        dispatchPrecondition(condition: .onQueue(queue))
        log.append($0)
      }
      state.send(1)
      #expect(log.values.isEmpty)
      token.withLock { $0 = bound }
    }
    await queue.drain()
    #expect(log.values == [0, 1])
    token.withLock { $0 }?.cancel()
  }

  @Test("a view model that is a source of its state calls the observer on its callback queue")
  func source() async {
    let (log, model) = (DeliveryLog<Int>(), CounterModel(callbackQueue: queue))
    let token = model.bind { [queue] value in
      dispatchPrecondition(condition: .onQueue(queue))
      log.append(value)
    }
    model.store.send(1)
    #expect(model.state == 1)
    await queue.drain()
    #expect(log.values == [0, 1])
    token.cancel()
  }

  @Test("a new binding replaces the previous binding, and cancelling the old token then has no effect")
  func lastBindingWins() async {
    let first = DeliveryLog<Int>()
    let second = DeliveryLog<Int>()
    let state = CallbackState(0)
    let firstToken = state.bind(on: queue) { first.append($0) }
    await queue.drain()
    let secondToken = state.bind(on: queue) { second.append($0) }
    state.send(1)
    firstToken.cancel()
    state.send(2)
    await queue.drain()
    #expect(first.values == [0])
    #expect(second.values == [0, 1, 2])
    secondToken.cancel()
  }

  @Test("an observer that is replaced on the queue receives nothing more, not even pending values")
  func replacedOnTheQueue() async {
    let (first, second) = (DeliveryLog<Int>(), DeliveryLog<Int>())
    let state = CallbackState(0)
    let firstToken = state.bind(on: queue) { first.append($0) }
    await queue.drain()
    let secondToken = Holder<CancellationToken>()
    await queue.run { [queue] in
      state.send(1)
      state.send(2)
      secondToken.set(state.bind(on: queue) { second.append($0) })
    }
    await queue.drain()
    #expect(first.values == [0])
    #expect(second.values == [2])
    withExtendedLifetime((firstToken, secondToken)) {}
  }

  @Test("after a cancel on the observer's queue, nothing more is delivered, not even pending values")
  func cancelOnTheQueue() async {
    let log = DeliveryLog<Int>()
    let state = CallbackState(0)
    let token = state.bind(on: queue) { log.append($0) }
    await queue.drain()
    await queue.run {
      for value in 1...100 { state.send(value) }
      token.cancel()
    }
    state.send(101)
    await queue.drain()
    #expect(log.values == [0])
  }

  @Test("an observer that cancels its own token receives none of the values that are still pending")
  func cancelWithinTheObserver() async {
    let log = DeliveryLog<Int>()
    let token = Mutex<CancellationToken?>(nil)
    let state = CallbackState(0)
    let bound = state.bind(on: queue) { value in
      log.append(value)
      if value == 2 { token.withLock { $0 }?.cancel() }
    }
    token.withLock { $0 = bound }
    await queue.run { for value in 1...10 { state.send(value) } }
    await queue.drain()
    #expect(log.values == [0, 1, 2])
  }

  @Test("cancelling the token unbinds and releases the observer")
  func cancelReleasesTheObserver() async {
    var captured: DeliveryLog<Int>? = DeliveryLog()
    weak let released = captured
    let state = CallbackState(0)
    do {
      let token = state.bind(on: queue) { [captured] in captured?.append($0) }
      captured = nil
      await queue.drain()
      #expect(released?.values == [0])
      token.cancel()
    }
    #expect(released == nil)
    state.send(1)
  }

  @Test("a value that the observer itself sends arrives after all values that were sent earlier")
  func reentrantSend() async {
    let log = DeliveryLog<Int>()
    let state = CallbackState(0)
    let token = state.bind(on: queue) { value in
      log.append(value)
      if (1...2).contains(value) { state.send(value + 10) }
    }
    await queue.run { for value in 1...2 { state.send(value) } }
    await queue.drain()
    await queue.drain()
    #expect(log.values == [0, 1, 2, 11, 12])
    token.cancel()
  }

  @Test("a block that is submitted to the observer's queue after a send runs after the value is delivered")
  func deliveryPrecedesLaterBlocks() async {
    let state = CallbackState(0)
    let seen = Atomic(0)
    let token = state.bind(on: queue) { seen.store($0, ordering: .relaxed) }
    for value in 1...1_000 {
      state.send(value)
      await queue.run { #expect(seen.load(ordering: .relaxed) >= value) }
    }
    token.cancel()
  }

  @Test(
    "with concurrent senders, the observer sees every value once, one at a time, and the current one last",
    arguments: [DispatchQueue(label: "serial"), DispatchQueue.global()])
  func concurrentSenders(queue: DispatchQueue) async {
    let log = DeliveryLog<Int>()
    let inside = Atomic(0)
    let done = DispatchGroup()
    done.enter()
    let state = CallbackState(-1)
    let remaining = Atomic(4 * 500 + 1)
    let token = state.bind(on: queue) { value in
      #expect(inside.add(1, ordering: .relaxed).newValue == 1)
      log.append(value)
      inside.subtract(1, ordering: .relaxed)
      if remaining.subtract(1, ordering: .relaxed).newValue == 0 { done.leave() }
    }
    DispatchQueue.concurrentPerform(iterations: 4) { sender in
      for value in 0..<500 { state.send(sender * 500 + value) }
    }
    await withCheckedContinuation { continuation in
      done.notify(queue: .global()) { continuation.resume() }
    }
    #expect(log.values.first == -1)
    #expect(log.values.last == state.value)
    #expect(log.values.sorted() == Array(-1..<2_000))
    for sender in 0..<4 {
      let own = log.values.filter { $0 >= 0 && $0 / 500 == sender }
      #expect(own == own.sorted())
    }
    token.cancel()
  }

  @Test("on a concurrent queue, too, a call of the observer ends before the next begins; no value is lost")
  func concurrentQueue() async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let (entered, leave, done) = (DispatchGroup(), DispatchSemaphore(value: 0), DispatchGroup())
    let log = DeliveryLog<Int>()
    let state = CallbackState(0)
    entered.enter()
    done.enter()
    let token = state.bind(on: queue) { value in
      log.append(value)
      if value == 0 {
        entered.leave()
        leave.wait()
      }
      if value == 2 { done.leave() }
    }
    await withCheckedContinuation { continuation in
      entered.notify(queue: .global()) { continuation.resume() }
    }
    for value in 1...2 {
      state.send(value)
      // Gives the block that `send` submitted time to run. The observer's first call has not ended, so the
      // block must not call the observer.
      for _ in 0..<50 { await queue.run {} }
    }
    #expect(log.values == [0])
    leave.signal()
    await withCheckedContinuation { continuation in
      done.notify(queue: queue) { continuation.resume() }
    }
    #expect(log.values == [0, 1, 2])
    token.cancel()
  }

  @Test("after a cancel outside the observer's queue, at most one more call of the observer begins")
  func raceOfCancel() async {
    for _ in 0..<1_000 {
      let state = CallbackState(0)
      let isCancelled = Atomic(false)
      let late = Atomic(0)
      let token = state.bind(on: queue) { _ in
        if isCancelled.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
      }
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        switch thread {
        case 0: for value in 1...20 { state.send(value) }
        case 1: for value in 21...40 { state.send(value) }
        default:
          token.cancel()
          isCancelled.store(true, ordering: .releasing)
        }
      }
      await queue.drain()
      #expect(late.load(ordering: .relaxed) <= 1)
    }
  }

  @Test("no token or observer keeps a state alive, and a released state still delivers its pending values")
  func stateIsReleased() async {
    let log = DeliveryLog<Int>()
    var state: CallbackState<Int>? = CallbackState(0)
    weak let released = state
    queue.suspend()
    let token = state?.bind(on: queue) { log.append($0) }
    state?.send(1)
    state = nil
    #expect(released == nil)
    queue.resume()
    await queue.drain()
    #expect(log.values == [0, 1])
    token?.cancel()
  }

  @Test("a state that its observer releases still delivers the other values that were sent before")
  func releasedByItsObserver() async {
    let (log, state) = (DeliveryLog<Int>(), Holder(CallbackState(0)))
    queue.suspend()
    let token = state.value?.bind(on: queue) { value in
      log.append(value)
      state.clear()
    }
    for value in 1...3 { state.value?.send(value) }
    queue.resume()
    await queue.drain()
    #expect(log.values == [0, 1, 2, 3])
    token?.cancel()
  }

  @Test("the observer is released when the state is deallocated and all pending values are delivered")
  func observerIsReleasedWithTheState() async {
    var captured: DeliveryLog<Int>? = DeliveryLog()
    weak let released = captured
    var state: CallbackState<Int>? = CallbackState(0)
    queue.suspend()
    let token = state?.bind(on: queue) { [captured] in captured?.append($0) }
    captured = nil
    state?.send(1)
    state = nil
    #expect(released != nil)
    queue.resume()
    await queue.drain()
    #expect(released == nil)
    token?.cancel()
  }

  @Test("an update runs its body once, returns its result, and enqueues the new value")
  func update() async {
    let (state, seen) = (CallbackState([1]), DeliveryLog<[Int]>())
    let token = state.bind(on: queue) { seen.append($0) }
    let count = state.update { values in
      values.append(2)
      return values.count
    }
    #expect(count == 2)
    #expect(state.value == [1, 2])
    await queue.drain()
    #expect(seen.values == [[1], [1, 2]])
    withExtendedLifetime(token) {}
  }

  @Test("an update that throws changes nothing, and the observer receives nothing")
  func throwingUpdate() async {
    struct Refused: Error {}
    let (state, seen) = (CallbackState(1), DeliveryLog<Int>())
    let token = state.bind(on: queue) { seen.append($0) }
    #expect(throws: Refused.self) {
      try state.update { value throws(Refused) in
        value = 2
        throw Refused()
      }
    }
    #expect(state.value == 1)
    await queue.drain()
    #expect(seen.values == [1])
    withExtendedLifetime(token) {}
  }

  @Test("the deinit of a value that an update removes may use the state")
  func updateReleasesAfterUnlock() {
    let state = CallbackState([Reentrant(0)])
    state.send([
      Reentrant(1) { [weak state] in state?.update { $0.append(Reentrant($0.count + 10)) } }, Reentrant(2),
    ])
    state.update { $0.removeAll { $0.number == 1 } }
    #expect(state.value.map(\.number) == [2, 11])
  }

  @Test("the deinit of a value that a send replaces may use the state, and does not deadlock")
  func valueReleaseMayReenter() {
    let state = CallbackState<Reentrant?>(nil)
    let releases = Atomic(0)
    state.send(
      Reentrant(1) { [weak state] in
        _ = state?.value
        releases.add(1, ordering: .relaxed)
      })
    state.send(nil)
    #expect(releases.load(ordering: .relaxed) == 1)
  }

  #if DEBUG && (os(macOS) || os(Linux))
    @Test("a computed `store` stops a debug build at the first use, with a message that names the property")
    func computedStore() async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ComputedStore().bind { _ in }
      }
      #expect(String(decoding: exit.standardErrorContent, as: UTF8.self).contains("ComputedStore.store"))
    }
  #endif
}

private final class ComputedStore: CallbackStateSource {
  let callbackQueue = DispatchQueue(label: "observer")
  var store: CallbackState<Int> { CallbackState(0) }
}

private final class CounterModel: CallbackStateSource {
  let store = CallbackState(0)
  let callbackQueue: DispatchQueue

  init(callbackQueue: DispatchQueue) { self.callbackQueue = callbackQueue }
}
