import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("RetryPolicy", .timeLimit(.minutes(5)), .endsWaits)
struct RetryPolicyTests {
  private func waits(_ policy: RetryPolicy, _ retries: ClosedRange<Int>, seed: UInt64 = 1) -> [Duration?] {
    var generator = SplitMix64(seed: seed)
    return retries.map { policy.delay(beforeRetry: $0, using: &generator) }
  }

  @Test("retries end at the limit of their policy, and without a limit, they never end")
  func limit() {
    #expect(waits(.never, 1...2) == [nil, nil])
    #expect(waits(.constant(.seconds(2), limit: 2), 1...3) == [.seconds(2), .seconds(2), nil])
    #expect(RetryPolicy.constant(.zero).limit == .max)
    #expect(waits(.constant(.zero), Int.max...Int.max) == [.zero])
  }

  @Test("exponential waits double up to the longest wait, and do not overflow for high retry numbers")
  func exponential() {
    let policy = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(6), limit: 9)
    #expect(waits(policy, 1...5) == [1, 2, 4, 6, 6].map { .seconds($0) })
    #expect(waits(policy, 9...10) == [.seconds(6), nil])
    let longest = Duration.seconds(Int64.max)
    #expect(waits(.exponential(from: .nanoseconds(1), upTo: longest), Int.max...Int.max) == [longest])
    #expect(waits(.exponential(from: longest, upTo: longest), 1...2) == [longest, longest])
  }

  @Test("jitter makes the given fraction of each wait random, with numbers from the generator")
  func jitter() {
    let policy = RetryPolicy.exponential(from: .seconds(10), upTo: .seconds(10), jitter: 0.5)
    let some = waits(policy, 1...200).compactMap(\.self)
    #expect(some.allSatisfy { (.seconds(5)...(.seconds(10))).contains($0) })
    #expect(Set(some).count == 200)
    #expect(some.min()! < .seconds(6) && some.max()! > .seconds(9))
    #expect(waits(policy, 1...200) == some)
    #expect(waits(policy, 1...200, seed: 2) != some)
    let full = waits(.constant(.seconds(1), jitter: 1), 1...200).compactMap(\.self)
    #expect(full.count == 200)
    #expect(full.allSatisfy { (.zero...(.seconds(1))).contains($0) })
  }

  @Test("extreme numbers neither overflow nor exceed the delay")
  func extremes() {
    #expect(waits(.constant(.seconds(2)), Int.min...Int.min) == [.seconds(2)])
    let longest = Duration(attoseconds: .max)
    #expect(waits(.constant(longest, jitter: 1e-17), 1...1) == [longest])
    // The nearest `Double` of this number of attoseconds is greater.
    let odd = Duration(attoseconds: (1 << 53) + 3)
    #expect(waits(.constant(odd, jitter: 1e-16), 1...100).allSatisfy { $0! <= odd })
  }

  #if os(macOS) || os(Linux)
    @Test("creating a policy with invalid numbers terminates the process")
    func preconditions() async {
      await #expect(processExitsWith: .failure) { _ = RetryPolicy.constant(.seconds(-1)) }
      await #expect(processExitsWith: .failure) { _ = RetryPolicy.constant(.zero, limit: -1) }
      await #expect(processExitsWith: .failure) { _ = RetryPolicy.constant(.zero, jitter: 1.5) }
      await #expect(processExitsWith: .failure) { _ = RetryPolicy.constant(.zero, stableTime: .seconds(-1)) }
      await #expect(processExitsWith: .failure) { _ = RetryPolicy.exponential(from: .zero, upTo: .zero) }
      await #expect(processExitsWith: .failure) {
        _ = RetryPolicy.exponential(from: .seconds(2), upTo: .seconds(1))
      }
    }
  #endif
}
