import AsyncViewModelsTesting
import Synchronization
import Testing

@Suite("CallRecorder", .timeLimit(.minutes(5)), .endsWaits)
struct CallRecorderTests {
  private struct Counter: SequentialSpecification {
    var count = 0

    mutating func admits(_ operation: Operation, _ answer: Int) -> Bool {
      if operation == .increment { count += 1 }
      return answer == count
    }

    enum Operation { case increment, read }
  }

  private struct Refusal: Error {}

  @Test("calls of several tasks are recorded, and a correct object is linearizable")
  func linearizable() async throws {
    let count = Count()
    let recorder = CallRecorder<Counter>()
    await withTaskGroup { group in
      for party in 1...4 {
        group.addTask {
          for _ in 1...20 {
            recorder.record(.increment, by: party) { count.increment() }
            await recorder.record(.read, by: party) { await count.read() }
          }
        }
      }
    }
    #expect(recorder.history.calls.count == 160)
    try recorder.history.check(from: Counter())
  }

  private final class Count: Sendable {
    private let count = Mutex(0)

    func increment() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }

    func read() async -> Int { count.withLock(\.self) }
  }

  @Test("an answer that no order explains is an error, which shows the calls")
  func notLinearizable() throws {
    let recorder = CallRecorder<Counter>()
    recorder.record(.increment, by: 1) {
      recorder.record(.increment, by: 2) { 1 }
      return 1
    }
    let error = #expect(throws: NotLinearizableError.self) { try recorder.history.check(from: Counter()) }
    #expect(
      error?.description == """
        No order of these calls explains their responses:
        0…3 party 1: increment → 1
        1…2 party 2: increment → 1
        """)
  }

  @Test("a call that throws is not recorded")
  func failedCall() {
    let recorder = CallRecorder<Counter>()
    #expect(throws: Refusal.self) {
      try recorder.record(.increment, by: 1) { () throws(Refusal) in throw Refusal() }
    }
    #expect(recorder.history.calls.isEmpty)
  }

  @Test("a history may have more calls than a word has bits")
  func long() throws {
    let recorder = CallRecorder<Counter>()
    for number in 1...500 { recorder.record(.increment, by: 1) { number } }
    let order = try #require(recorder.history.linearization(from: Counter()))
    #expect(order.map(\.response) == Array(1...500))
  }
}
