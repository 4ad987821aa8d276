import AsyncViewModelsTesting
import Testing

@Suite("Linearizability: the search", .timeLimit(.minutes(5)), .endsWaits)
struct LinearizationTests {
  private typealias Recorded = CallHistory<StateSpecification>.Recorded

  private static func call(
    _ party: Int, _ time: ClosedRange<Int>, _ operation: ObservationCall, _ response: ObservationAnswer
  ) -> Recorded {
    Recorded(
      party: party, operation: operation, response: response, begin: time.lowerBound, end: time.upperBound)
  }

  private static func isLinearizable(_ calls: [Recorded]) -> Bool {
    CallHistory(calls).linearization(from: StateSpecification(0)) != nil
  }

  @Test("overlapping calls may have happened in either order")
  func overlapping() {
    for seen in [0, 1] {
      #expect(
        Self.isLinearizable([
          Self.call(1, 0...3, .send(1), .done), Self.call(2, 1...2, .value, .number(seen)),
        ]))
    }
  }

  @Test("a call sees the effect of every call that ended before it began")
  func stale() {
    #expect(
      !Self.isLinearizable([Self.call(1, 0...1, .send(1), .done), Self.call(2, 2...3, .value, .number(0))]))
  }

  @Test("if a call has seen the new value, no later call sees the old value, even while the send still runs")
  func newThenOld() {
    #expect(
      !Self.isLinearizable([
        Self.call(1, 0...9, .send(1), .done),
        Self.call(2, 1...2, .value, .number(1)),
        Self.call(3, 3...4, .value, .number(0)),
      ]))
  }

  @Test("two exchanges cannot both replace the same value")
  func lostUpdate() {
    #expect(
      !Self.isLinearizable([
        Self.call(1, 0...2, .exchange(1), .number(0)), Self.call(2, 1...3, .exchange(2), .number(0)),
      ]))
    #expect(
      Self.isLinearizable([
        Self.call(1, 0...2, .exchange(1), .number(2)), Self.call(2, 1...3, .exchange(2), .number(0)),
      ]))
  }

  @Test("the search finds an order that explains all answers")
  func order() throws {
    let calls = [
      Self.call(1, 0...7, .send(1), .done), Self.call(2, 1...6, .send(2), .done),
      Self.call(3, 2...3, .value, .number(2)), Self.call(3, 4...5, .value, .number(1)),
    ]
    let order = try #require(CallHistory(calls).linearization(from: StateSpecification(0)))
    #expect(order.map(\.operation) == [.send(2), .value, .send(1), .value])
  }

  @Test("a history may have more calls than a word has bits")
  func long() throws {
    let calls = (0..<500).map { Self.call(1, 2 * $0...2 * $0 + 1, .exchange($0 + 1), .number($0)) }
    let order = try #require(CallHistory(calls).linearization(from: StateSpecification(0)))
    #expect(order.map(\.begin) == calls.map(\.begin))
  }
}
