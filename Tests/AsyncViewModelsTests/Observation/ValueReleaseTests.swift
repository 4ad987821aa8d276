import AsyncViewModels
import AsyncViewModelsTesting
import Testing

/// A value's end is anybody's code: it must not run under the state's lock, as it may come back to the state.
@Suite("ObservableState: the end of a value", .timeLimit(.minutes(1)))
struct ValueReleaseTests {
  @Test(
    "a value whose end sends to its state does not deadlock", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func releaseSends(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(Reentrant(0))
    let observer = handOut.observe(state, buffering)
    _ = await observer.next()
    state.send(Reentrant(1) { [weak state] in state?.send(Reentrant(3)) })
    _ = await observer.next()
    state.send(Reentrant(2))
    #expect(state.value.number == 3)
    state.finish()
    #expect(await observer.rest().last?.number == 3)
  }

  @Test("a value that a full buffer drops is let go outside the lock", arguments: HandOut.allCases)
  func droppedFromABuffer(handOut: HandOut) async {
    let state = ObservableState(Reentrant(0))
    let observer = handOut.observe(state, .bounded(2, dropping: .oldest))
    _ = await observer.next()
    state.send(Reentrant(1) { [weak state] in state?.send(Reentrant(10)) })
    for number in 2...4 { state.send(Reentrant(number)) }
    #expect(state.value.number == 4)
    state.finish()
    #expect(await observer.rest().map(\.number) == [10, 4])
  }

  @Test("the same in an update", arguments: HandOut.allCases)
  func droppedFromABufferByAnUpdate(handOut: HandOut) async {
    let state = ObservableState(Reentrant(0))
    let observer = handOut.observe(state, .bounded(2, dropping: .oldest))
    _ = await observer.next()
    state.send(Reentrant(1) { [weak state] in state?.update { $0 = Reentrant($0.number + 10) } })
    for number in 2...3 { state.update { $0 = Reentrant(number) } }
    #expect(state.value.number == 13)
    state.finish()
    #expect(await observer.rest().map(\.number) == [3, 13])
  }

  @Test("an event that a full buffer drops is let go outside the lock", arguments: HandOut.allCases)
  func droppedEvent(handOut: HandOut) async {
    let channel = EventChannel<Reentrant>()
    let observer = handOut.observe(channel, .bounded(2, dropping: .oldest))
    channel.send(Reentrant(1) { [weak channel] in channel?.send(Reentrant(10)) })
    for number in 2...3 { channel.send(Reentrant(number)) }
    channel.finish()
    #expect(await observer.rest().map(\.number) == [3, 10])
  }

  @Test(
    "a value whose end drops a stream of its state does not deadlock", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func releaseDropsAStream(handOut: HandOut, buffering: BufferingPolicy) {
    let state = ObservableState(Reentrant(0))
    let holder = Holder(handOut.observe(state, buffering))
    state.send(Reentrant(1) { holder.letGo() })
    #expect(state.observerCount == 1)
    state.send(Reentrant(2))
    // A buffer that had not been read held the value too, and goes with its stream.
    if case .latest = buffering { #expect(state.observerCount == 0) }
    holder.letGo()
    #expect(state.observerCount == 0)
  }

  @Test(
    "a value that an update replaces may send, and drop a stream of its state", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func replacedInAnUpdate(handOut: HandOut, buffering: BufferingPolicy) {
    let state = ObservableState(Reentrant(0))
    let holder = Holder<Observer<Reentrant>>()
    state.send(
      Reentrant(1) { [weak state] in
        state?.send(Reentrant(3))
        holder.letGo()
      })
    holder.put(handOut.observe(ObservableState(Reentrant(7)), buffering))
    state.update { $0 = Reentrant(2) }
    #expect(state.value.number == 3)
    state.send(Reentrant(1) { holder.letGo() })
    holder.put(handOut.observe(state, .latest))
    state.update { $0 = Reentrant(2) }
    #expect(state.observerCount == 0)
  }

  @Test(
    "the last value of a state that goes away may hold a stream of it", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func valueHoldsAStream(handOut: HandOut, buffering: BufferingPolicy) async throws {
    try await LeakTracker.check { tracker in
      let state = tracker.track(ObservableState<Reentrant?>(nil))
      let holder = Holder(handOut.observe(state, buffering))
      state.send(tracker.track(Reentrant(1) { holder.letGo() }))
      state.send(nil)
      holder.letGo()
    }
  }

  @Test(
    "what an observer had not read is let go outside the lock when it leaves", arguments: HandOut.allCases)
  func unreadValuesOfWhoLeaves(handOut: HandOut) async {
    let state = ObservableState(Reentrant(0))
    do {
      let observer = handOut.observe(state, .unbounded)
      state.send(Reentrant(1) { [weak state] in state?.send(Reentrant(3)) })
      state.send(Reentrant(2))
      withExtendedLifetime(observer) {}
    }
    #expect(state.value.number == 3)

    do {
      let observer = handOut.observe(state, .unbounded)
      state.send(Reentrant(4) { [weak state] in state?.send(Reentrant(6)) })
      state.send(Reentrant(5))
      let reader = Task {
        while !Task.isCancelled { await Task.yield() }
        return await observer.next() == nil
      }
      reader.cancel()
      #expect(await reader.value)
      withExtendedLifetime(observer) {}
    }
    #expect(state.value.number == 6)
  }

  @Test("the answer and the error of an update may use the state, though the caller ignores them")
  func ignoredAnswer() {
    struct Refusal: Error { let cause: Reentrant }
    let state = ObservableState(Reentrant(0))
    let look: @Sendable () -> Void = { [weak state] in _ = state?.value }
    state.update { exchange(&$0, with: Reentrant(1, onRelease: look)) }
    state.update { exchange(&$0, with: Reentrant(2)) }
    try? state.update { _ throws(Refusal) in throw Refusal(cause: Reentrant(3, onRelease: look)) }
    #expect(state.value.number == 2)
  }

  @Test("an element that its reader ignores may use the channel", arguments: HandOut.allCases)
  func ignoredElement(handOut: HandOut) async {
    let channel = EventChannel<Reentrant>()
    let observer = handOut.observe(channel)
    for number in 1...3 { channel.send(Reentrant(number) { [weak channel] in _ = channel?.observerCount }) }
    channel.finish()
    var count = 0
    for await _ in observer { count += 1 }
    #expect(count == 3)
    #expect(channel.observerCount == 0)
  }
}
