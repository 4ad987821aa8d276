import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("StateStore: the end of observation", .timeLimit(.minutes(5)), .endsWaits)
struct EndOfObservationTests {
  @Test(
    "after finish, a stream yields the last value, then ends", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func finishUnread(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    let observer = form.observe(state, buffering)
    #expect(await observer.next() == 0)
    state.send(1)
    state.finish()
    #expect(await observer.next() == 1)
    #expect(await observer.next() == nil)
    #expect(await observer.next() == nil)
    #expect(state.observerCount == 0)
  }

  @Test("finish ends every waiting observer", arguments: ObserverForm.allCases, BufferingPolicy.kinds)
  func finishWhileWaiting(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let state = StateStore(0)
    let recorders = (1...5).map { _ in StateRecorder(form.observe(state, buffering)) }
    try await until { state.waitingCount == 5 }
    state.finish()
    for recorder in recorders { #expect(try await recorder.waitForEnd() == [0]) }
    #expect(state.observerCount == 0)
  }

  @Test(
    "a waiting observer sees the last value even if finish follows at once", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func finishRightAfterTheLastValue(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let state = StateStore(0)
    let recorder = StateRecorder(form.observe(state, buffering))
    try await until { state.waitingCount == 1 }
    state.send(1)
    state.finish()
    #expect(try await recorder.waitForEnd() == [0, 1])
  }

  @Test(
    "a stream that is created after finish yields the last value, then ends",
    arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func createdAfterFinish(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    state.send(1)
    state.finish()
    #expect(await form.observe(state, buffering).rest() == [1])
    #expect(await form.observe(state, buffering).rest() == [1])
    #expect(state.observerCount == 0)
  }

  @Test(
    "a value that is sent after finish is ignored", arguments: ObserverForm.allCases, BufferingPolicy.kinds)
  func sendAfterFinish(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    let observer = form.observe(state, buffering)
    state.finish()
    state.send(1)
    state.finish()
    #expect(state.value == 0)
    #expect(await observer.rest() == [0])
    #expect(await form.observe(state, buffering).rest() == [0])
  }

  @Test(
    "an update after finish changes a copy that is discarded", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func updateAfterFinish(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    let observer = form.observe(state, buffering)
    state.finish()
    let answer = state.update { value in
      value += 1
      state.send(7)
      return value
    }
    #expect(answer == 1)
    #expect(state.value == 0)
    #expect(await observer.rest() == [0])
  }

  @Test(
    "after the state is deallocated, its unread streams yield the last value and end",
    arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func ownersEndUnread(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let observer = try await LeakTracker.check { tracker in
      let state = tracker.track(StateStore(0))
      state.send(1)
      return form.observe(state, buffering)
    }
    #expect(await observer.rest() == [1])
  }

  @Test(
    "a waiting observer does not keep its state alive, and ends when the state is deallocated",
    arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func ownersEndWhileWaiting(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let recorder = try await LeakTracker.check { tracker in
      let state = tracker.track(StateStore(0))
      let recorder = StateRecorder(form.observe(state, buffering))
      try await until { state.waitingCount == 1 }
      return recorder
    }
    #expect(try await recorder.waitForEnd() == [0])
  }

  @Test(
    "when a state and its observers are released, no value stays alive", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func valuesAreFreed(form: ObserverForm, buffering: BufferingPolicy) async throws {
    try await LeakTracker.check { tracker in
      let state = StateStore(tracker.track(Reentrant(0), "first value"))
      let (read, unread) = (form.observe(state, buffering), form.observe(state, buffering))
      _ = await read.next()
      state.send(tracker.track(Reentrant(1), "second value"))
      state.finish()
      withExtendedLifetime(unread) {}
    }
  }

  @Test(
    "cancelling a waiting reader removes the observer", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func cancelWhileWaiting(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let state = StateStore(0)
    let observer = form.observe(state, buffering)
    let recorder = StateRecorder(observer)
    try await until { state.waitingCount == 1 }
    recorder.cancel()
    #expect(state.waitingCount == 0)
    #expect(state.observerCount == 0)
    #expect(try await recorder.waitForEnd() == [0])
    state.send(1)
    #expect(await observer.next() == nil)
  }

  @Test(
    "cancelling one of several waiting readers does not affect the others", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func cancelAmongOthers(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let state = StateStore(0)
    var recorders: [StateRecorder<Int>] = []
    for count in 1...5 {
      recorders.append(StateRecorder(form.observe(state, buffering)))
      try await until { state.waitingCount == count }
    }
    for (index, left) in [(2, 4), (0, 3), (4, 2)] {
      recorders[index].cancel()
      #expect(state.waitingCount == left)
      #expect(state.observerCount == left)
      #expect(try await recorders[index].waitForEnd() == [0])
    }
    state.send(1)
    for index in [1, 3] { try await recorders[index].first { $0 == 1 } }
    state.finish()
    for index in [1, 3] { #expect(try await recorders[index].waitForEnd() == [0, 1]) }
  }

  @Test(
    "a cancelled task that starts to read a stream ends the stream", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func cancelledReader(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    let observer = form.observe(state, buffering)
    let gate = Gate()
    let reader = Task {
      await gate.wait()
      return await observer.rest()
    }
    reader.cancel()
    gate.open()
    #expect(await reader.value == [])
    #expect(state.observerCount == 0)
    #expect(await observer.next() == nil)
  }

  @Test(
    "cancelling a busy reader ends its stream at the next read", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func cancelBusy(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    let gate = Gate()
    let reader = Task {
      var seen: [Int] = []
      for await value in form.observe(state, buffering) {
        seen.append(value)
        await gate.wait()
      }
      return seen
    }
    await gate.waitForArrivals(1)
    state.send(1)
    reader.cancel()
    gate.open()
    #expect(await reader.value == [0])
    #expect(state.observerCount == 0)
  }

  @Test(
    "breaking out of the loop removes the observer", arguments: ObserverForm.allCases, BufferingPolicy.kinds)
  func breaking(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    for await _ in form.observe(state, buffering) {
      #expect(state.observerCount == 1)
      break
    }
    #expect(state.observerCount == 0)
  }

  @Test(
    "releasing a stream removes its observer, whether or not the stream was read",
    arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func dropping(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    do {
      let (read, unread) = (form.observe(state, buffering), form.observe(state, buffering))
      #expect(await read.next() == 0)
      #expect(state.observerCount == 2)
      withExtendedLifetime((read, unread)) {}
    }
    #expect(state.observerCount == 0)
    state.send(1)
  }

  @Test(
    "an observer that has left releases its unread values even if its stream is still retained",
    arguments: ObserverForm.allCases)
  func leavingReleasesUnreadValues(form: ObserverForm) async throws {
    let tracker = LeakTracker()
    let state = StateStore(Reentrant(0))
    let observer = form.observe(state, .unbounded)
    for number in 1...5 { state.send(tracker.track(Reentrant(number))) }
    state.send(Reentrant(6))
    let reader = Task {
      // Cancels before the read. Otherwise, the read could return a value.
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await observer.next() == nil
    }
    #expect(await reader.value)
    try await until { state.observerCount == 0 }
    try await tracker.assertAllReleased()
    withExtendedLifetime(observer) {}
  }

  @Test("two tasks that read one stream split its values, and both end", arguments: ObserverForm.allCases)
  func twoReadersSplitTheValues(form: ObserverForm) async throws {
    let state = StateStore(0)
    let observer = form.observe(state, .unbounded)
    let readers = [StateRecorder(observer), StateRecorder(observer)]
    try await until { state.waitingCount == 2 }
    for value in 1...500 { state.send(value) }
    try await until { readers[0].states.count + readers[1].states.count == 501 && state.waitingCount == 2 }
    state.finish()
    var seen: [Int] = []
    for reader in readers {
      let own = try await reader.waitForEnd()
      #expect(own == own.sorted())
      seen += own
    }
    #expect(seen.sorted() == Array(0...500))
  }

  @Test(
    "two tasks that wait on one stream of the latest value split its values, and both end",
    arguments: ObserverForm.allCases
  )
  func twoReadersOfTheLatest(form: ObserverForm) async throws {
    let state = StateStore(0)
    let observer = form.observe(state)
    let readers = [StateRecorder(observer), StateRecorder(observer)]
    for value in 1...100 {
      try await until { state.waitingCount == 2 }
      state.send(value)
    }
    state.finish()
    let seen = try await readers[0].waitForEnd() + readers[1].waitForEnd()
    #expect(seen.sorted() == Array(0...100))
  }

  @Test(
    "cancelling one of two tasks that read one stream ends the stream for both tasks",
    arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func cancelOneOfTwoReaders(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let state = StateStore(0)
    let observer = form.observe(state, buffering)
    let readers = [StateRecorder(observer), StateRecorder(observer)]
    try await until { state.waitingCount == 2 }
    readers[0].cancel()
    let seen = try await readers[0].waitForEnd() + readers[1].waitForEnd()
    #expect(seen == [0])
    #expect(state.observerCount == 0)
    #expect(state.waitingCount == 0)
  }

  @Test("an observer is counted from its creation to its end", arguments: ObserverForm.allCases)
  func observerCount(form: ObserverForm) async {
    let state = StateStore(0)
    #expect(state.observerCount == 0)
    var observers = (BufferingPolicy.kinds + [.latest]).map { form.observe(state, $0) }
    #expect(state.observerCount == 4)
    observers.removeFirst()
    #expect(state.observerCount == 3)
    observers.removeLast()
    #expect(state.observerCount == 2)
    state.finish()
    #expect(await observers[0].rest() == [0])
    #expect(state.observerCount == 1)
    observers.removeAll()
    #expect(state.observerCount == 0)
  }
}
