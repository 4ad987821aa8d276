import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("StateStore: distinct and projected streams", .timeLimit(.minutes(5)), .endsWaits)
struct ProjectionTests {
  private struct Basket: Sendable, Equatable {
    var total = 0
    var note = ""
  }

  @Test(
    "a distinct stream omits a value that equals the previous value",
    arguments: [BufferingPolicy.latest, .unbounded])
  func distinct(buffering: BufferingPolicy) async throws {
    let state = StateStore(1)
    let stream = state.states(of: \.self, buffering)
    #expect(await stream.next() == 1)
    state.send(1)
    state.send(1)
    let recorder = StateRecorder(stream)
    state.send(2)
    try await recorder.first { $0 == 2 }
    state.send(2)
    state.send(1)
    try await recorder.first { $0 == 1 }
    state.finish()
    #expect(try await recorder.waitForEnd() == [2, 1])
  }

  @Test("a distinct stream that buffers omits only adjacent duplicates")
  func adjacentDuplicates() async {
    let state = StateStore(0)
    let stream = state.states(of: \.self, .unbounded)
    for value in [0, 1, 1, 1, 0, 0, 2] { state.send(value) }
    state.finish()
    #expect(await stream.rest() == [0, 1, 0, 2])
  }

  @Test("a projection is delivered only when it changes", arguments: [BufferingPolicy.latest, .unbounded])
  func projection(buffering: BufferingPolicy) async throws {
    let state = StateStore(Basket())
    let recorder = StateRecorder(state.states(of: \.total, buffering))
    try await recorder.waitForStates(1)
    state.update { $0.note = "for Anna" }
    state.update { $0.total = 5 }
    try await recorder.waitForStates(2)
    state.update { $0.note = "for Ben" }
    state.update { $0.total = 7 }
    try await recorder.waitForStates(3)
    state.finish()
    #expect(try await recorder.waitForEnd() == [0, 5, 7])
  }

  @Test("each stream of a projection starts with the value that is current when the stream is created")
  func independentStreams() async {
    let state = StateStore(Basket(total: 3))
    let (first, second) = (state.states(of: \.total), state.states(of: \.total))
    #expect(await first.next() == 3)
    #expect(await second.next() == 3)
  }

  @Test(
    "a distinct stream ends when its state is deallocated, and dropping the stream removes the observer",
    arguments: [true, false])
  func ends(byDropping: Bool) async {
    var state: StateStore<Int>? = StateStore(1)
    var stream = state?.states(of: \.self)
    #expect(state?.observerCount == 1)
    if byDropping {
      stream = nil
      #expect(state?.observerCount == 0)
    } else {
      state = nil
      #expect(await stream?.rest() == [1])
    }
  }

  @Test(
    "cancelling a waiting reader of a projection ends its stream and removes the observer",
    arguments: [BufferingPolicy.latest, .unbounded])
  func cancellation(buffering: BufferingPolicy) async throws {
    let state = StateStore(Basket())
    let recorder = StateRecorder(state.states(of: \.total, buffering))
    try await recorder.waitForStates(1)
    recorder.cancel()
    #expect(try await recorder.waitForEnd() == [0])
    #expect(state.observerCount == 0)
  }
}
