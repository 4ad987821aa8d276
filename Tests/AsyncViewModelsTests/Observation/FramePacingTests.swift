import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// When a paced observer receives values, on virtual time.
@Suite("FramePacing", .timeLimit(.minutes(5)), .endsWaits)
struct FramePacingTests {
  @Test(
    "values are delivered at once or at the beginning of the next frame",
    arguments: [
      ("nothing changes", [], 500, ["0@0"]),
      ("a change in the frame of the first value", [(30, 1)], 500, ["0@0", "1@100"]),
      ("several changes in one frame", [(30, 1), (40, 2), (90, 3)], 500, ["0@0", "3@100"]),
      ("a change in a later frame", [(230, 1)], 500, ["0@0", "1@230"]),
      ("a change at the beginning of a frame", [(100, 1)], 500, ["0@0", "1@100"]),
      (
        "the next frame begins at a multiple of its length, not one length after the last value",
        [(250, 1), (260, 2), (310, 3)], 500, ["0@0", "1@250", "2@300", "3@400"]
      ),
      (
        "a change in each frame",
        [(10, 1), (110, 2), (190, 3), (200, 4), (350, 5)], 500, ["0@0", "1@100", "3@200", "4@300", "5@400"]
      ),
    ] as [(String, [(Int, Int)], Int, [String])])
  func delivery(title: String, changes: [(Int, Int)], end: Int, expected: [String]) async throws {
    let reader = PacedReader()
    #expect(try await reader.run(changes, until: end) == expected)
    #expect(reader.clock.virtual.sleeperCount == 0)
  }

  @Test("a frame is one second divided by the rate", arguments: [1, 60, 120, 1_000])
  func rate(rate: Int) async throws {
    let reader = PacedReader { $0.states(pacing: .frames(perSecond: rate, clock: $1)) }
    for frame in 1...500 {
      try await reader.settle()
      reader.state.send(frame)
      try await reader.settle()
      let next = try #require(reader.clock.virtual.nextDeadline)
      let difference = next.offset - .seconds(frame) / rate
      #expect(abs(difference.attoseconds) < 1_000, "the frame \(frame)")
      reader.clock.virtual.advance(to: next)
    }
    try await reader.settle()
    #expect(reader.notes.all.count == 501)
  }

  @Test("a timer exists only while a change waits for its frame, one for all changes of a frame")
  func timers() async throws {
    let reader = PacedReader()
    try await reader.advance(to: 1_000)
    #expect(reader.clock.sleepCount == 0, "nothing has changed")
    reader.state.send(1)
    try await reader.settle()
    #expect(reader.clock.sleepCount == 0, "the change is the first one in its frame")
    reader.state.send(2)
    try await reader.settle()
    for value in 3...1_000 { reader.state.send(value) }
    #expect(reader.clock.sleepCount == 1 && reader.clock.virtual.sleeperCount == 1)
    try await reader.advance(to: 9_000)
    #expect(reader.clock.sleepCount == 1 && reader.clock.virtual.sleeperCount == 0)
    #expect(reader.notes.all == ["0@0", "1@1000", "1000@1100"])
  }

  @Test("a value that waits when the state ends is delivered in its frame, before the end")
  func endWhileWaiting() async throws {
    let reader = PacedReader()
    try await reader.settle()
    reader.state.send(1)
    try await reader.settle()
    reader.state.send(2)
    reader.state.finish()
    for _ in 0..<20 { await Task.detached {}.value }
    #expect(reader.notes.all == ["0@0"])
    reader.clock.virtual.advance(by: .milliseconds(100))
    await reader.reading.value
    #expect(reader.notes.all == ["0@0", "2@100", "|@100"])
    #expect(reader.state.observerCount == 0)
  }

  @Test("if no value waits, a stream ends at once with its state, without a timer")
  func end() async throws {
    let reader = PacedReader()
    try await reader.settle()
    reader.state.finish()
    await reader.reading.value
    #expect(reader.notes.all == ["0@0", "|@0"])
    #expect(reader.clock.sleepCount == 0)
  }

  @Test("a stream that is created after the end yields the last value and ends, without a timer")
  func createdAfterTheEnd() async throws {
    let clock = SleepCountingClock()
    let state = StateStore(7)
    state.finish()
    let recorder = StateRecorder(state.states(pacing: .frames(perSecond: 60, clock: clock)))
    #expect(try await recorder.waitForEnd() == [7])
    #expect(clock.sleepCount == 0)
  }

  @Test("a cancelled reader sees the end at once, and the value that waits for its frame is dropped")
  func cancelledWhileWaiting() async throws {
    for _ in 0..<200 {
      let reader = PacedReader()
      try await reader.settle()
      reader.state.send(1)
      try await reader.settle()
      reader.reading.cancel()
      await reader.reading.value
      #expect(reader.notes.all == ["0@0", "|@0"])
      #expect(reader.clock.virtual.sleeperCount == 0)
      #expect(reader.state.observerCount == 0)
    }
  }

  @Test("a cancelled reader receives no value, even if its wait for the frame has no cancellation handler")
  func cancelledWithoutHandler() async throws {
    for _ in 0..<500 {
      let (state, isWaiting) = (StateStore(0), Gate())
      let pacing = FramePacing(longestFrame: .seconds(3_600)) {
        isWaiting.open()
        while !Task.isCancelled { await Task.yield() }
      }
      let stream = state.states(pacing: pacing)
      let reading = Task {
        var values: [Int] = []
        for await value in stream {
          values.append(value)
          if value == 0 { state.send(1) }
        }
        return values
      }
      await isWaiting.wait()
      reading.cancel()
      #expect(await reading.value == [0])
    }
  }

  @Test("a reader that is cancelled while nothing changes leaves at once")
  func cancelledWhileIdle() async throws {
    let reader = PacedReader()
    try await reader.settle()
    reader.reading.cancel()
    await reader.reading.value
    #expect(reader.notes.all == ["0@0", "|@0"])
    #expect(reader.state.observerCount == 0)
  }

  @Test("the frame of a value is the frame in which its body returns, so two bodies never run in one frame")
  func slowBody() async throws {
    let (clock, state, gate, notes) = (VirtualClock(), StateStore(0), Gate(), Notes())
    let owner = PlainActor()
    let token = state.states(pacing: .frames(perSecond: 10, clock: clock)).observe(on: owner) { _, value in
      notes.add("\(value)@\(clock.now.milliseconds)")
      await gate.wait()
    }
    await gate.waitForArrivals(1)
    state.send(1)
    clock.advance(by: .milliseconds(250))
    gate.release()
    await clock.waitForSleepers(1)
    #expect(notes.all == ["0@0"], "the frame from 200 to 300 ms already has a call")
    #expect(clock.nextDeadline?.milliseconds == 300)
    state.send(2)
    clock.advance(by: .milliseconds(50))
    await gate.waitForArrivals(2)
    #expect(notes.all == ["0@0", "2@300"])
    gate.open()
    token.cancel()
  }

  @Test("observers that share a pacing receive their values at the same time")
  func sharedPacing() async throws {
    let (clock, notes) = (VirtualClock(), Notes())
    let pacing = FramePacing.frames(perSecond: 10, clock: clock)
    clock.advance(by: .milliseconds(30))
    let states = [StateStore(0), StateStore(0)]
    let tasks = states.map { state in
      let stream = state.states(pacing: pacing)
      return Task { for await value in stream { notes.add("\(value)@\(clock.now.milliseconds)") } }
    }
    try await until { states.allSatisfy { $0.waitingCount == 1 } }
    states[0].send(1)
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(20))
    states[1].send(1)
    await clock.waitForSleepers(2)
    #expect(clock.nextDeadline?.milliseconds == 100)
    clock.advance(by: .milliseconds(50))
    try await until { notes.all.count == 4 }
    #expect(notes.all == ["0@30", "0@30", "1@100", "1@100"])
    for task in tasks { task.cancel() }
  }

  @Test("two tasks that read one stream split its values, and neither waits without end")
  func twoReaders() async throws {
    let (clock, state, notes) = (VirtualClock(), StateStore(0), Notes())
    let stream = state.states(pacing: .frames(perSecond: 10, clock: clock))
    let tasks = (0..<2).map { _ in Task { for await value in stream { notes.add("\(value)") } } }
    for value in 1...20 {
      // Both tasks wait for the same change, and one of them takes it.
      try await until { state.waitingCount == 2 }
      clock.advance(by: .milliseconds(100))
      state.send(value)
      try await until { notes.all.count == value + 1 }
    }
    #expect(notes.all == (0...20).map { "\($0)" })
    state.finish()
    for task in tasks { await task.value }
    #expect(state.observerCount == 0)
  }

  @Test("a projected stream omits equal values, and projects at most once in each frame")
  func projection() async throws {
    let projections = Tally()
    let reader = PacedReader { state, clock in
      let half: @Sendable (Int) -> Int = {
        projections.increment()
        return $0 / 2
      }
      return state.states(of: half, pacing: .frames(perSecond: 10, clock: clock))
    }
    let notes = try await reader.run(
      [(10, 1), (20, 1), (110, 2), (120, 3), (250, 2), (330, 8)], until: 400)
    #expect(notes == ["0@0", "1@200", "4@400"])
    #expect(projections.count == 5, "one in each frame")
    reader.state.send(9)
    reader.state.finish()
    reader.clock.virtual.advance(by: .milliseconds(100))
    await reader.reading.value
    #expect(reader.notes.all.last == "|@500")
  }

  @Test("a cancelled reader of a projected stream leaves at once")
  func cancelledProjection() async throws {
    let reader = PacedReader { $0.states(of: { $0 / 2 }, pacing: .frames(perSecond: 10, clock: $1)) }
    try await reader.settle()
    reader.state.send(8)
    try await reader.settle()
    reader.reading.cancel()
    await reader.reading.value
    #expect(reader.notes.all == ["0@0", "|@0"])
    #expect(reader.state.observerCount == 0 && reader.clock.virtual.sleeperCount == 0)
  }

  @Test("frames of other code: `nextFrame` is called only while a change waits that is not old enough")
  func announcedFrames() async throws {
    let (clock, frames) = (SleepCountingClock(), Gate())
    let reader = PacedReader { state, _ in
      state.states(
        pacing: FramePacing(longestFrame: .milliseconds(50), clock: clock) {
          try await frames.waitUnlessCancelled()
        })
    }
    let (state, notes) = (reader.state, reader.notes)
    try await until { state.waitingCount == 1 }
    clock.virtual.advance(by: .milliseconds(50))
    state.send(1)
    try await until { state.waitingCount == 1 && notes.all.count == 2 }
    #expect(frames.arrivalCount == 0, "a frame has begun since the reader asked")
    clock.virtual.advance(by: .milliseconds(49))
    for value in 2...9 {
      state.send(value)
      await frames.waitForArrivals(1)
    }
    #expect(frames.waitingCount == 1 && notes.all.count == 2)
    frames.release()
    try await until { state.waitingCount == 1 }
    #expect(notes.all == ["0@0", "1@0", "9@0"])
    #expect(frames.arrivalCount == 1 && clock.sleepCount == 0)
    state.send(10)
    await frames.waitForArrivals(2)
    reader.reading.cancel()
    await reader.reading.value
    #expect(frames.waitingCount == 0 && state.observerCount == 0)
    #expect(notes.all.last == "|@0")
  }

  @Test("if `nextFrame` throws, the value is delivered at once")
  func announcedFrameFails() async throws {
    let reader = PacedReader { state, clock in
      state.states(pacing: FramePacing(longestFrame: .seconds(1), clock: clock) { throw Refused() })
    }
    #expect(try await reader.run([(10, 1), (20, 2)], until: 50) == ["0@0", "1@10", "2@20"])
  }

  @Test("a pacing works on a real clock, too")
  func realClock() async throws {
    let (state, clock) = (StateStore(0), ContinuousClock())
    let recorder = StateRecorder(state.states(pacing: .frames(perSecond: 1_000)))
    let start = clock.now
    for value in 1...10_000 { state.send(value) }
    try await recorder.first { $0 == 10_000 }
    let frames = Int(start.duration(to: clock.now) / .milliseconds(1)) + 2
    #expect(recorder.states.count <= frames + 1)
    #expect(recorder.states == recorder.states.sorted())
    let other = FramePacing(longestFrame: .zero) { Issue.record("the frame is over") }
    let last = StateRecorder(state.states(pacing: other))
    try await last.first { $0 == 10_000 }
    state.send(1)
    try await last.first { $0 == 1 }
  }

  #if os(macOS) || os(Linux)
    @Test("a rate outside 1 to 1,000 terminates the process")
    func rateOutOfRange() async {
      await #expect(processExitsWith: .failure) { _ = FramePacing.frames(perSecond: 0) }
      await #expect(processExitsWith: .failure) { _ = FramePacing.frames(perSecond: 1_001) }
    }
  #endif
}
