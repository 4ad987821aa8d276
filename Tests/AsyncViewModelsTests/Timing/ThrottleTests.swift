import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("throttled(for:)", .timeLimit(.minutes(5)), .endsWaits)
struct ThrottleTests {
  @Test(
    "a throttle emits the first element of an interval at once, and the last other one when the interval ends",
    arguments: [
      ("a----|", ["a@0", "|@5"]),
      ("ab---|", ["a@0", "b@3", "|@5"]),
      ("abc-de---|", ["a@0", "c@3", "e@6", "|@9"]),
      ("abc-----d--|", ["a@0", "c@3", "d@8", "|@11"]),
      ("a---b--|", ["a@0", "b@4", "|@7"]),
      ("ab|", ["a@0", "b@2", "|@2"]),
      ("ab!", ["a@0", "b@2", "!@2"]),
      ("ab-----cd|", ["a@0", "b@3", "c@7", "d@9", "|@9"]),
      ("a|", ["a@0", "|@1"]),
      ("|", ["|@0"]),
    ])
  func diagram(input: String, expected: [String]) async throws {
    let diagram = Diagram()
    let throttled = diagram.source.throttled(for: Diagram.tick * 3, clock: diagram.clock)
    #expect(try await diagram.output(of: input, expecting: expected, through: throttled) == expected)
    #expect(diagram.clock.sleeperCount == 0)
  }

  @Test("with an interval of zero, every element is emitted at once")
  func zeroInterval() async throws {
    let diagram = Diagram()
    let (input, expected) = ("abc|", ["a@0", "b@1", "c@2", "|@3"])
    let throttled = diagram.source.throttled(for: .zero, clock: diagram.clock)
    #expect(try await diagram.output(of: input, expecting: expected, through: throttled) == expected)
  }

  @Test("a throttled sequence works on a real clock, too")
  func realClock() async {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    let throttled = stream.throttled(for: .seconds(3_600))
    var iterator = throttled.makeAsyncIterator()
    input.yield(1)
    #expect(await iterator.next(isolation: nil) == 1)
    input.yield(2)
    input.yield(3)
    input.finish()
    #expect(await iterator.next(isolation: nil) == 3)
    #expect(await iterator.next(isolation: nil) == nil)
  }

  #if os(macOS) || os(Linux)
    @Test("a negative interval terminates the process")
    func negativeInterval() async {
      await #expect(processExitsWith: .failure) {
        _ = AsyncStream<Int> { nil }.throttled(for: .seconds(-1))
      }
    }
  #endif
}
