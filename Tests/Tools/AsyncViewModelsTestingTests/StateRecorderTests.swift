import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@Suite("StateRecorder", .timeLimit(.minutes(5)), .endsWaits)
struct StateRecorderTests {
  private struct Failure: Error, Equatable {}

  @Test("the recorder records every element in order")
  func recordsInOrder() async throws {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    let recorder = StateRecorder(stream)
    for value in 1...100 { input.yield(value) }
    input.finish()
    #expect(try await recorder.waitForEnd() == Array(1...100))
    #expect(recorder.states == Array(1...100))
  }

  @Test("`first` returns an element that is already recorded")
  func findsRecordedElements() async throws {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    let recorder = StateRecorder(stream)
    for value in 1...3 { input.yield(value) }
    try await recorder.waitForStates(3)
    #expect(try await recorder.first { $0 > 1 } == 2)
    #expect(try await recorder.first(from: 2) { $0 > 1 } == 3)
  }

  @Test("`first` waits for an element that is not recorded yet")
  func awaitsLaterElements() async throws {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    let recorder = StateRecorder(stream)
    async let found = recorder.first { $0 == 2 }
    input.yield(1)
    try await recorder.waitForStates(1)
    input.yield(2)
    #expect(try await found == 2)
  }

  @Test("if the stream ends without the element, the error names the recorded elements")
  func endsEarly() async {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    let recorder = StateRecorder(stream)
    input.yield(1)
    input.finish()
    await #expect(throws: StreamFinishedEarly(recorded: ["1"])) { try await recorder.first { $0 == 2 } }
    #expect("\(StreamFinishedEarly(recorded: ["1"]))".contains("[\"1\"]"))
  }

  @Test("if the stream fails, each wait throws the error of the stream")
  func failingStream() async {
    let (stream, input) = AsyncThrowingStream.makeStream(of: Int.self)
    let recorder = StateRecorder(stream)
    input.yield(1)
    input.finish(throwing: Failure())
    await #expect(throws: Failure()) { try await recorder.first { $0 == 2 } }
    await #expect(throws: Failure()) { try await recorder.waitForEnd() }
    #expect(recorder.states == [1])
  }

  @Test("a cancelled wait throws, and the recorder continues")
  func waitingIsCancellable() async throws {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    let recorder = StateRecorder(stream)
    let waiting = Task { try await recorder.first { $0 == 1 } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    input.yield(1)
    #expect(try await recorder.first { $0 == 1 } == 1)
  }

  @Test("a recorder that is released or cancelled stops observing", arguments: [true, false])
  func leavesTheStream(byCancelling: Bool) async throws {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    let left = Gate()
    input.onTermination = { _ in left.open() }
    try await LeakTracker.check { tracker in
      let recorder = tracker.track(StateRecorder(stream))
      input.yield(1)
      try await recorder.waitForStates(1)
      if byCancelling {
        recorder.cancel()
        #expect(try await recorder.waitForEnd() == [1])
      }
    }
    await left.wait()
  }
}
