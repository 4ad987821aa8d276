import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("debounced(for:)", .timeLimit(.minutes(5)), .endsWaits)
struct DebounceTests {
  @Test(
    "an element is emitted after a quiet interval; the last one is emitted when the source ends or fails",
    arguments: [
      ("a---|", ["a@2", "|@4"]),
      ("ab---|", ["b@3", "|@5"]),
      ("abcdef---|", ["f@7", "|@9"]),
      ("ab---cd---|", ["b@3", "d@8", "|@10"]),
      ("|", ["|@0"]),
      ("!", ["!@0"]),
      ("a|", ["a@1", "|@1"]),
      ("a!", ["a@1", "!@1"]),
      ("ab---cd!", ["b@3", "d@7", "!@7"]),
      ("a---!", ["a@2", "!@4"]),
    ])
  func diagram(input: String, expected: [String]) async throws {
    let diagram = Diagram()
    let debounced = diagram.source.debounced(for: Diagram.tick * 2, clock: diagram.clock)
    #expect(try await diagram.output(of: input, expecting: expected, through: debounced) == expected)
    #expect(diagram.clock.sleeperCount == 0)
  }

  @Test("with an interval of zero, every element is emitted at once")
  func zeroInterval() async throws {
    let diagram = Diagram()
    let (input, expected) = ("abc-d!", ["a@0", "b@1", "c@2", "d@4", "!@5"])
    let debounced = diagram.source.debounced(for: .zero, clock: diagram.clock)
    #expect(try await diagram.output(of: input, expecting: expected, through: debounced) == expected)
  }

  @Test("one timer serves a burst: it does not restart for each element")
  func oneTimer() async throws {
    let clock = VirtualClock()
    let source = ManualSource<Int>()
    let recorder = StateRecorder(source.debounced(for: .seconds(10), clock: clock))
    await source.send(0)
    await clock.waitForSleepers(1)
    for element in 1...9 {
      clock.advance(by: .seconds(1))
      await source.send(element)
      #expect(clock.nextDeadline?.offset == .seconds(10))
    }
    clock.advance(by: .seconds(1))
    await clock.waitForSleepers(1)
    #expect(clock.nextDeadline?.offset == .seconds(19))
    clock.advance(by: .seconds(9))
    #expect(try await recorder.waitForStates(1) == [9])
  }

  @Test("a slow consumer skips to the latest due element, and never receives the skipped ones")
  func slowConsumer() async throws {
    let clock = VirtualClock()
    let source = ManualSource<String>()
    let received = Gate()
    let debounced = source.debounced(for: .seconds(1), clock: clock)
    let consumer = Task {
      var seen: [String] = []
      for try await element in debounced {
        seen.append(element)
        await received.wait()
      }
      return seen
    }
    await source.waitForReader()
    // The timer sleeps for an element only after it has emitted the previous one.
    for element in ["first", "left out", "latest", "last"] {
      await source.send(element)
      await clock.waitForSleepers(1)
      if element != "last" { clock.advance(by: .seconds(1)) }
      if element == "first" { await received.waitForArrivals(1) }
    }
    received.release()
    await received.waitForArrivals(2)
    clock.advance(by: .seconds(1))
    source.finish()
    received.open()
    #expect(try await consumer.value == ["first", "latest", "last"])
  }

  @Test("a debounced sequence cannot fail if its source cannot fail")
  func typedFailure() async {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    input.yield(1)
    input.finish()
    var seen: [Int] = []
    for await element in stream.debounced(for: .seconds(1), clock: VirtualClock()) { seen.append(element) }
    #expect(seen == [1])
  }

  @Test("after the end or an error, next() returns nil")
  func afterTheEnd() async throws {
    let source = ManualSource<Int>()
    source.fail()
    var iterator = source.debounced(for: .seconds(1), clock: VirtualClock()).makeAsyncIterator()
    do {
      _ = try await iterator.next(isolation: nil)
      Issue.record("the error of the source is missing")
    } catch {
      #expect(error is ManualSource<Int>.Failed)
    }
    #expect(try await iterator.next(isolation: nil) == nil)
    #expect(try await iterator.next(isolation: nil) == nil)
  }

  @Test("a consumer on an actor stays on it, even if the clock is an existential")
  func isolation() async {
    let clock: any Clock<Duration> = VirtualClock()
    let counter = ElementCounter()
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    input.yield(1)
    input.finish()
    await counter.count(stream.debounced(for: .seconds(1), clock: clock))
    #expect(await counter.total == 1)
  }

  #if os(macOS) || os(Linux)
    @Test("a negative interval terminates the process")
    func negativeInterval() async {
      await #expect(processExitsWith: .failure) {
        _ = AsyncStream<Int> { nil }.debounced(for: .seconds(-1))
      }
    }
  #endif
}

private actor ElementCounter {
  private(set) var total = 0

  func count<Elements: AsyncSequence>(_ elements: Elements) async where Elements.Failure == Never {
    for await _ in elements {
      preconditionIsolated()
      total += 1
    }
  }
}
