import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@Suite("ObservableState: how observation ends", .timeLimit(.minutes(1)))
struct EndOfObservationTests {
  @Test("finish: the last value first, then the end", arguments: HandOut.allCases, BufferingPolicy.kinds)
  func finishUnread(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    let observer = handOut.observe(state, buffering)
    #expect(await observer.next() == 0)
    state.send(1)
    state.finish()
    #expect(await observer.next() == 1)
    #expect(await observer.next() == nil)
    #expect(await observer.next() == nil)
    #expect(state.observerCount == 0)
  }

  @Test("finish ends every observer that waits", arguments: HandOut.allCases, BufferingPolicy.kinds)
  func finishParked(handOut: HandOut, buffering: BufferingPolicy) async throws {
    let state = ObservableState(0)
    let recorders = (1...5).map { _ in StateRecorder(handOut.observe(state, buffering)) }
    try await until { state.parkedCount == 5 }
    state.finish()
    for recorder in recorders { #expect(try await recorder.waitForEnd() == [0]) }
    #expect(state.observerCount == 0)
  }

  @Test(
    "who waits sees the last value even where the finish follows at once", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func finishRightAfterTheLastValue(handOut: HandOut, buffering: BufferingPolicy) async throws {
    let state = ObservableState(0)
    let recorder = StateRecorder(handOut.observe(state, buffering))
    try await until { state.parkedCount == 1 }
    state.send(1)
    state.finish()
    #expect(try await recorder.waitForEnd() == [0, 1])
  }

  @Test(
    "a stream asked for after the finish yields the last value, then ends", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func askedAfterFinish(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    state.send(1)
    state.finish()
    #expect(await handOut.observe(state, buffering).rest() == [1])
    #expect(await handOut.observe(state, buffering).rest() == [1])
    #expect(state.observerCount == 0)
  }

  @Test("what is sent after the finish is ignored", arguments: HandOut.allCases, BufferingPolicy.kinds)
  func sendAfterFinish(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    let observer = handOut.observe(state, buffering)
    state.finish()
    state.send(1)
    state.finish()
    #expect(state.value == 0)
    #expect(await observer.rest() == [0])
    #expect(await handOut.observe(state, buffering).rest() == [0])
  }

  @Test(
    "an update after the finish works on a copy that is thrown away", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func updateAfterFinish(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    let observer = handOut.observe(state, buffering)
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
    "when the owner goes away, its unread streams yield the last value and end", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func ownersEndUnread(handOut: HandOut, buffering: BufferingPolicy) async throws {
    let observer = try await LeakTracker.check { tracker in
      let state = tracker.track(ObservableState(0))
      state.send(1)
      return handOut.observe(state, buffering)
    }
    #expect(await observer.rest() == [1])
  }

  @Test(
    "an observer that waits does not keep the owner alive, and ends with it", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func ownersEndParked(handOut: HandOut, buffering: BufferingPolicy) async throws {
    let recorder = try await LeakTracker.check { tracker in
      let state = tracker.track(ObservableState(0))
      let recorder = StateRecorder(handOut.observe(state, buffering))
      try await until { state.parkedCount == 1 }
      return recorder
    }
    #expect(try await recorder.waitForEnd() == [0])
  }

  @Test(
    "the last value is freed with the state and its observers", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func valuesAreFreed(handOut: HandOut, buffering: BufferingPolicy) async throws {
    try await LeakTracker.check { tracker in
      let state = ObservableState(tracker.track(Reentrant(0), "first value"))
      let (read, unread) = (handOut.observe(state, buffering), handOut.observe(state, buffering))
      _ = await read.next()
      state.send(tracker.track(Reentrant(1), "second value"))
      state.finish()
      withExtendedLifetime(unread) {}
    }
  }

  @Test(
    "cancelling a reader that waits frees the observer", arguments: HandOut.allCases, BufferingPolicy.kinds)
  func cancelParked(handOut: HandOut, buffering: BufferingPolicy) async throws {
    let state = ObservableState(0)
    let observer = handOut.observe(state, buffering)
    let recorder = StateRecorder(observer)
    try await until { state.parkedCount == 1 }
    recorder.cancel()
    #expect(state.parkedCount == 0)
    #expect(state.observerCount == 0)
    #expect(try await recorder.waitForEnd() == [0])
    state.send(1)
    #expect(await observer.next() == nil)
  }

  @Test(
    "cancelling one of several readers that wait leaves the others", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func cancelAmongOthers(handOut: HandOut, buffering: BufferingPolicy) async throws {
    let state = ObservableState(0)
    var recorders: [StateRecorder<Int>] = []
    for count in 1...5 {
      recorders.append(StateRecorder(handOut.observe(state, buffering)))
      try await until { state.parkedCount == count }
    }
    for (index, left) in [(2, 4), (0, 3), (4, 2)] {
      recorders[index].cancel()
      #expect(state.parkedCount == left)
      #expect(state.observerCount == left)
      #expect(try await recorders[index].waitForEnd() == [0])
    }
    state.send(1)
    for index in [1, 3] { try await recorders[index].first { $0 == 1 } }
    state.finish()
    for index in [1, 3] { #expect(try await recorders[index].waitForEnd() == [0, 1]) }
  }

  @Test(
    "a cancelled task that begins to read a stream ends it", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func cancelledReader(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    let observer = handOut.observe(state, buffering)
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
    "cancelling a reader that is busy ends its stream at the next read", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func cancelBusy(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    let gate = Gate()
    let reader = Task {
      var seen: [Int] = []
      for await value in handOut.observe(state, buffering) {
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

  @Test("breaking out of the loop frees the observer", arguments: HandOut.allCases, BufferingPolicy.kinds)
  func breaking(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    for await _ in handOut.observe(state, buffering) {
      #expect(state.observerCount == 1)
      break
    }
    #expect(state.observerCount == 0)
  }

  @Test(
    "dropping a stream frees the observer, whether or not it was read", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func dropping(handOut: HandOut, buffering: BufferingPolicy) async {
    let state = ObservableState(0)
    do {
      let (read, unread) = (handOut.observe(state, buffering), handOut.observe(state, buffering))
      #expect(await read.next() == 0)
      #expect(state.observerCount == 2)
      withExtendedLifetime((read, unread)) {}
    }
    #expect(state.observerCount == 0)
    state.send(1)
  }

  @Test(
    "an observer that left keeps nothing of what it had not read, though its stream is still held",
    arguments: HandOut.allCases)
  func leavingFreesTheUnread(handOut: HandOut) async throws {
    let tracker = LeakTracker()
    let state = ObservableState(Reentrant(0))
    let observer = handOut.observe(state, .unbounded)
    for number in 1...5 { state.send(tracker.track(Reentrant(number))) }
    state.send(Reentrant(6))
    let reader = Task { await observer.next() == nil }
    reader.cancel()
    _ = await reader.value
    try await until { state.observerCount == 0 }
    try await tracker.assertAllReleased()
    withExtendedLifetime(observer) {}
  }

  @Test("two tasks that read one stream share its values, and both end", arguments: HandOut.allCases)
  func twoReadersShare(handOut: HandOut) async throws {
    let state = ObservableState(0)
    let observer = handOut.observe(state, .unbounded)
    let readers = [StateRecorder(observer), StateRecorder(observer)]
    try await until { state.parkedCount == 2 }
    for value in 1...500 { state.send(value) }
    try await until { readers[0].states.count + readers[1].states.count == 501 && state.parkedCount == 2 }
    state.finish()
    var seen: [Int] = []
    for reader in readers {
      let own = try await reader.waitForEnd()
      #expect(own == own.sorted())
      seen += own
    }
    #expect(seen.sorted() == Array(0...500))
  }

  @Test("two tasks that wait on one stream of the latest both end with it", arguments: HandOut.allCases)
  func twoReadersOfTheLatest(handOut: HandOut) async throws {
    let state = ObservableState(0)
    let observer = handOut.observe(state)
    let readers = [StateRecorder(observer), StateRecorder(observer)]
    for value in 1...100 {
      try await until { state.parkedCount == 2 }
      state.send(value)
    }
    state.finish()
    let seen = try await readers[0].waitForEnd() + readers[1].waitForEnd()
    #expect(seen.sorted() == Array(0...100))
  }

  @Test(
    "cancelling one of two tasks that read one stream ends it for both", arguments: HandOut.allCases,
    BufferingPolicy.kinds)
  func cancelOneOfTwoReaders(handOut: HandOut, buffering: BufferingPolicy) async throws {
    let state = ObservableState(0)
    let observer = handOut.observe(state, buffering)
    let readers = [StateRecorder(observer), StateRecorder(observer)]
    try await until { state.parkedCount == 2 }
    readers[0].cancel()
    let seen = try await readers[0].waitForEnd() + readers[1].waitForEnd()
    #expect(seen == [0])
    #expect(state.observerCount == 0)
    #expect(state.parkedCount == 0)
  }

  @Test("observers are counted from the hand-out to their end", arguments: HandOut.allCases)
  func observerCount(handOut: HandOut) async {
    let state = ObservableState(0)
    #expect(state.observerCount == 0)
    var observers = BufferingPolicy.kinds.map { handOut.observe(state, $0) }
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
