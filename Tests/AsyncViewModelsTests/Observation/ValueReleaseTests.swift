import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// A value's `deinit` can run any code and may use the state, so it must not run under the state's lock.
@Suite("StateStore: the release of values", .timeLimit(.minutes(5)), .endsWaits)
struct ValueReleaseTests {
  @Test(
    "releasing a value whose deinit sends to the state does not deadlock", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func releaseSends(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(Reentrant(0))
    let observer = form.observe(state, buffering)
    _ = await observer.next()
    state.send(Reentrant(1) { [weak state] in state?.send(Reentrant(3)) })
    _ = await observer.next()
    state.send(Reentrant(2))
    #expect(state.value.number == 3)
    state.finish()
    #expect(await observer.rest().last?.number == 3)
  }

  @Test(
    "a value that a full buffer drops during a send is released outside the lock",
    arguments: ObserverForm.allCases)
  func droppedFromABuffer(form: ObserverForm) async {
    let state = StateStore(Reentrant(0))
    let observer = form.observe(state, .bounded(2))
    _ = await observer.next()
    state.send(Reentrant(1) { [weak state] in state?.send(Reentrant(10)) })
    for number in 2...4 { state.send(Reentrant(number)) }
    #expect(state.value.number == 4)
    state.finish()
    #expect(await observer.rest().map(\.number) == [10, 4])
  }

  @Test(
    "a value that a full buffer drops during an update is released outside the lock",
    arguments: ObserverForm.allCases)
  func droppedFromABufferByAnUpdate(form: ObserverForm) async {
    let state = StateStore(Reentrant(0))
    let observer = form.observe(state, .bounded(2))
    _ = await observer.next()
    state.send(Reentrant(1) { [weak state] in state?.update { $0 = Reentrant($0.number + 10) } })
    for number in 2...3 { state.update { $0 = Reentrant(number) } }
    #expect(state.value.number == 13)
    state.finish()
    #expect(await observer.rest().map(\.number) == [3, 13])
  }

  @Test("an event that a full buffer drops is released outside the lock", arguments: ObserverForm.allCases)
  func droppedEvent(form: ObserverForm) async {
    let channel = EventChannel<Reentrant>()
    let observer = form.observe(channel, .bounded(2))
    channel.send(Reentrant(1) { [weak channel] in channel?.send(Reentrant(10)) })
    for number in 2...3 { channel.send(Reentrant(number)) }
    channel.finish()
    #expect(await observer.rest().map(\.number) == [3, 10])
  }

  @Test(
    "releasing a value whose deinit drops a stream of the state does not deadlock",
    arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func releaseDropsAStream(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(Reentrant(0))
    let holder = Holder(form.observe(state, buffering))
    state.send(Reentrant(1) { holder.clear() })
    // Reads the value, because a buffer keeps an unread value.
    var isRead = false
    for _ in 1...2 where !isRead { isRead = await holder.value?.next()?.number == 1 }
    #expect(isRead)
    #expect(state.observerCount == 1)
    state.send(Reentrant(2))
    #expect(state.observerCount == 0)
  }

  @Test(
    "dropping a stream does not deadlock if the deinit of an unread value drops the same stream",
    arguments: ObserverForm.allCases, BufferingPolicy.kinds)
  func bufferDropsItsStream(form: ObserverForm, buffering: BufferingPolicy) {
    let state = StateStore(Reentrant(0))
    let holder = Holder(form.observe(state, buffering))
    state.send(Reentrant(1) { holder.clear() })
    state.send(Reentrant(2))
    holder.clear()
    #expect(state.observerCount == 0)
  }

  @Test(
    "the deinit of a value that an in-place update replaces may send and drop a stream of its state",
    arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func replacedInPlace(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(Reentrant(0))
    let holder = Holder<Observer<Reentrant>>()
    state.send(
      Reentrant(1) { [weak state] in
        state?.send(Reentrant(3))
        holder.clear()
      })
    holder.set(form.observe(state, buffering))
    // Reads the value, because a buffer keeps an unread value.
    #expect(await holder.value?.next()?.number == 1)
    #expect(state.observerCount == 1)
    state.updateInPlace { $0 = Reentrant(2) }
    #expect(state.value.number == 3)
    #expect(state.observerCount == 0)
  }

  @Test(
    "the deinit of a value that an update removes may use the state without restriction",
    arguments: ObserverForm.allCases, BufferingPolicy.kinds)
  func replacedInAnUpdate(form: ObserverForm, buffering: BufferingPolicy) {
    let state = StateStore([Reentrant(0)])
    let holder = Holder(form.observe(state, buffering))
    let use: @Sendable () -> Void = { [weak state] in
      holder.clear()
      state?.update { $0.append(Reentrant(($0.last?.number ?? 0) + 10)) }
    }
    state.send([Reentrant(1, onRelease: use), Reentrant(2)])
    holder.set(form.observe(state, .latest))
    state.update { $0.removeAll { $0.number == 1 } }
    #expect(state.value.map(\.number) == [2, 12])
    #expect(state.observerCount == 0)
  }

  @Test(
    "a value that keeps a stream of its own state does not leak", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func valueHoldsAStream(form: ObserverForm, buffering: BufferingPolicy) async throws {
    try await LeakTracker.check { tracker in
      let state = tracker.track(StateStore<Reentrant?>(nil))
      let holder = Holder(form.observe(state, buffering))
      state.send(tracker.track(Reentrant(1) { holder.clear() }))
      state.send(nil)
      holder.clear()
    }
  }

  @Test(
    "the unread values of an observer that leaves are released outside the lock",
    arguments: ObserverForm.allCases)
  func unreadValuesOfAFormerObserver(form: ObserverForm) async {
    let state = StateStore(Reentrant(0))
    do {
      let observer = form.observe(state, .unbounded)
      state.send(Reentrant(1) { [weak state] in state?.send(Reentrant(3)) })
      state.send(Reentrant(2))
      withExtendedLifetime(observer) {}
    }
    #expect(state.value.number == 3)

    do {
      let observer = form.observe(state, .unbounded)
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

  @Test("the deinit of an update's result or error that the caller ignores may use the state")
  func ignoredResult() {
    struct Refusal: Error { let cause: Reentrant }
    let state = StateStore(Reentrant(0))
    let look: @Sendable () -> Void = { [weak state] in _ = state?.value }
    state.update { exchange(&$0, with: Reentrant(1, onRelease: look)) }
    state.update { exchange(&$0, with: Reentrant(2)) }
    try? state.update { _ throws(Refusal) in throw Refusal(cause: Reentrant(3, onRelease: look)) }
    #expect(state.value.number == 2)
  }

  @Test(
    "the deinit of an event that its reader ignores may use the channel", arguments: ObserverForm.allCases)
  func ignoredElement(form: ObserverForm) async {
    let channel = EventChannel<Reentrant>()
    let observer = form.observe(channel)
    for number in 1...3 { channel.send(Reentrant(number) { [weak channel] in _ = channel?.observerCount }) }
    channel.finish()
    var count = 0
    for await _ in observer { count += 1 }
    #expect(count == 3)
    #expect(channel.observerCount == 0)
  }
}
