import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("throttled(for:)", .timeLimit(.minutes(5)), .endsWaits)
struct ThrottleTests {
  @Test(
    "leading emits the first element of each interval at once",
    arguments: [
      ("a---|", ["a@0", "|@4"]),
      ("abcdef-|", ["a@0", "d@3", "|@7"]),
      ("ab|", ["a@0", "|@2"]),
      ("ab!", ["a@0", "!@2"]),
      ("ab-----cd|", ["a@0", "c@7", "|@9"]),
    ])
  func leading(input: String, expected: [String]) async throws {
    try await check(input, expected, emitting: .leading)
  }

  @Test(
    "trailing emits the last element of each interval when the interval ends",
    arguments: [
      ("a----|", ["a@3", "|@5"]),
      ("abc----|", ["c@3", "|@7"]),
      ("abc-d---|", ["c@3", "d@6", "|@8"]),
      ("abc----d----|", ["c@3", "d@10", "|@12"]),
      ("ab|", ["b@2", "|@2"]),
      ("ab!", ["b@2", "!@2"]),
      ("|", ["|@0"]),
    ])
  func trailing(input: String, expected: [String]) async throws {
    try await check(input, expected, emitting: .trailing)
  }

  @Test(
    "`both` emits the first element of an interval at once, and the last other one when the interval ends",
    arguments: [
      ("a----|", ["a@0", "|@5"]),
      ("ab---|", ["a@0", "b@3", "|@5"]),
      ("abc-de---|", ["a@0", "c@3", "e@6", "|@9"]),
      ("abc-----d--|", ["a@0", "c@3", "d@8", "|@11"]),
      ("a---b--|", ["a@0", "b@4", "|@7"]),
      ("ab|", ["a@0", "b@2", "|@2"]),
      ("ab!", ["a@0", "b@2", "!@2"]),
      ("a|", ["a@0", "|@1"]),
    ])
  func both(input: String, expected: [String]) async throws {
    try await check(input, expected, emitting: .both)
  }

  private func check(_ input: String, _ expected: [String], emitting emission: ThrottleEmission) async throws
  {
    let diagram = Diagram()
    let throttled = diagram.source.throttled(
      for: Diagram.tick * 3, clock: diagram.clock, emitting: emission)
    #expect(try await diagram.output(of: input, expecting: expected, through: throttled) == expected)
    #expect(diagram.clock.sleeperCount == 0)
  }

  @Test("with an interval of zero, every element is emitted at once", arguments: ThrottleEmission.allCases)
  func zeroInterval(emission: ThrottleEmission) async throws {
    let diagram = Diagram()
    let (input, expected) = ("abc|", ["a@0", "b@1", "c@2", "|@3"])
    let throttled = diagram.source.throttled(for: .zero, clock: diagram.clock, emitting: emission)
    #expect(try await diagram.output(of: input, expecting: expected, through: throttled) == expected)
  }

  @Test("the default emission is `both`, and a throttled sequence works on a real clock, too")
  func byDefault() async {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    let throttled = stream.throttled(for: .seconds(3_600))
    var iterator = throttled.makeAsyncIterator()
    input.yield(1)
    #expect(await iterator.next() == 1)
    input.yield(2)
    input.yield(3)
    input.finish()
    #expect(await iterator.next() == 3)
    #expect(await iterator.next() == nil)
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
