import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("StateSource: transform(input:)", .timeLimit(.minutes(5)), .endsWaits)
struct StateSourceTransformTests {
  private final class Words: StateSource {
    let store = ObservableState<[String]>([])
    let gate = Gate(isOpen: true)

    func add(_ word: String) async {
      store.update { $0.append(word) }
      await gate.wait()
    }
  }

  @Test("each element reaches the intent in order, and the stream yields the states, the current one first")
  func statesOfInputs() async throws {
    try await LeakTracker.check { tracker in
      let words = tracker.track(Words())
      let (input, keys) = AsyncStream<String>.makeStream()
      var states = words.transform(input: input) { await $0.add($1) }.makeAsyncIterator()
      #expect(await states.next() == [])
      keys.yield("a")
      #expect(await states.next() == ["a"])
      keys.yield("b")
      #expect(await states.next() == ["a", "b"])
    }
  }

  @Test("an element reaches the intent only after the intent for the previous element has returned")
  func oneAtATime() async throws {
    try await LeakTracker.check { tracker in
      let words = tracker.track(Words())
      words.gate.close()
      let (input, keys) = AsyncStream<String>.makeStream()
      let states = words.transform(input: input) { await $0.add($1) }
      keys.yield("a")
      keys.yield("b")
      await words.gate.waitForArrivals(1)
      for _ in 0..<100 { await Task.yield() }
      #expect(words.state == ["a"])
      words.gate.open()
      for await state in states where state == ["a", "b"] { break }
    }
  }

  @Test("if the input ends, the stream of states continues")
  func endOfInput() async {
    let words = Words()
    let (input, keys) = AsyncStream<String>.makeStream()
    var states = words.transform(input: input) { await $0.add($1) }.makeAsyncIterator()
    keys.yield("a")
    keys.finish()
    while let state = await states.next(), state != ["a"] {}
    words.store.send(["z"])
    #expect(await states.next() == ["z"])
  }

  @Test("when the view model is released, the stream of states ends and the input is no longer read")
  func endOfModel() async throws {
    let (input, keys) = AsyncStream<String>.makeStream()
    let ended = Gate()
    keys.onTermination = { _ in ended.open() }
    let states = try await LeakTracker.check { tracker in
      tracker.track(Words()).transform(input: input) { await $0.add($1) }
    }
    var last: [String]?
    for await state in states { last = state }
    #expect(last == [])
    await ended.wait()
  }

  @Test("if an element arrives after the view model is released, the task that reads the input ends")
  func inputAfterTheEnd() async throws {
    let (go, ended) = (Gate(), Gate())
    func makeStates() async throws -> AsyncStream<[String]> {
      let token = CancellationToken { ended.open() }
      let input = AsyncStream<String> {
        defer { withExtendedLifetime(token) {} }
        await go.wait()
        return "a"
      }
      return try await LeakTracker.check { tracker in
        let words = tracker.track(Words())
        let states = words.transform(input: input) { await $0.add($1) }
        await go.waitForArrivals(1)
        return states
      }
    }
    let states = try await makeStates()
    go.open()
    await ended.wait()
    withExtendedLifetime(states) {}
  }

  @Test(
    "releasing the stream of states or cancelling its reader cancels the running intent",
    arguments: [true, false])
  func cancellation(byReleasing: Bool) async throws {
    try await LeakTracker.check { tracker in
      let words = tracker.track(Words())
      let (input, keys) = AsyncStream<String>.makeStream()
      let (entered, cancelled) = (Gate(), Gate())
      var states: AsyncStream<[String]>? = words.transform(input: input) { _, _ in
        entered.open()
        try? await Gate().waitUnlessCancelled()
        cancelled.open()
      }
      keys.yield("a")
      await entered.wait()
      if byReleasing {
        states = nil
      } else {
        let reader = Task { [states] in if let states { for await _ in states {} } }
        reader.cancel()
        await reader.value
      }
      await cancelled.wait()
      _ = states
    }
  }

  @Test("the view model that receives the input can be an actor")
  func actorSource() async throws {
    actor Echo: ViewModelActor {
      nonisolated let hosted: HostedState<String>
      init() { hosted = HostedState("", on: Isolation()) }
      func say(_ text: String) { store.send(text) }
    }
    try await LeakTracker.check { tracker in
      let echo = tracker.track(Echo())
      let (input, keys) = AsyncStream<String>.makeStream()
      let states = echo.transform(input: input) { await $0.say($1) }
      keys.yield("tea")
      #expect(await states.first { $0 == "tea" } != nil)
    }
  }
}
